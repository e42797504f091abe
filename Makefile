# Two commands matter: `make demo` (set up, then measure win rates) and `make test` (set up, then run every test).
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
PLAYERS ?= 2,3,4
MINUTES ?= 5
DEALS  ?= 5000

# Of each table of win rates: its title and three figures of all seats.
SUMMARY = '/^Win rates/ { print "\n" $$0 } /^[A-Z]/ { section = $$0; sub(/  \[.*| \(.*/, "", section) } \
	/^  (any seat|all battles) / && section ~ /^(Win share of the first|Effect of|Battles decided)/ \
	{ value = substr($$0, 42); printf "  %-32s%s\n", section, value }'

.PHONY: help setup demo test test-bounds lint fuzz bench clean

help: ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

setup: $(STAMP) ## make .venv with the pinned packages

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(STAMP)

demo: setup ## who wins Tactics from which seat, what the Advantage card is worth, and a small tournament
	$(BIN)/gosu-rl compile --all
	$(BIN)/gosu-rl winrates tactics --agents random --players 2 --deals $(DEALS) --out out/demo/random-2p > /dev/null
	$(BIN)/gosu-rl winrates tactics --agents random --players 4 --deals $(DEALS) --out out/demo/random-4p > /dev/null
	$(BIN)/gosu-rl winrates tactics --agents greedy --players 2 --deals $(DEALS) --out out/demo/greedy-2p > /dev/null
	$(BIN)/gosu-rl winrates tactics --agents greedy --players 4 --deals $(DEALS) --out out/demo/greedy-4p > /dev/null
	$(BIN)/gosu-rl tournament tactics --agents random,greedy,mcts:sims=100 --players 2 --deals 20 --out out/demo/tournament
	@cat $(foreach run,random-2p random-4p greedy-2p greedy-4p,out/demo/$(run)/winrates.txt) | awk $(SUMMARY)
	@echo; echo "All tables lie beside them: out/demo/*/winrates.txt. The pictures:"; ls -1 out/demo/*/*.png

# The whole suite; then the small suite without the compiler; then the core's own tests with bounds checks (each has its own cache).
test: setup ## every test, the small suite without the JIT, the core with bounds checks
	$(BIN)/gosu-rl compile --all
	$(BIN)/python -m pytest -n auto
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n auto -m nojit
	NUMBA_BOUNDSCHECK=1 $(BIN)/gosu-rl compile --all
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n auto -m "not slow" tests/core tests/rulings tests/envs/test_vector.py tests/arena/test_solo.py

test-bounds: setup ## the whole suite with numba's bounds checks (CI runs it too)
	NUMBA_BOUNDSCHECK=1 $(BIN)/gosu-rl compile --all
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n auto

lint: setup ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fuzz: setup ## core against the reference model: make fuzz MINUTES=60 PLAYERS=2,3,4
	$(BIN)/python -m tests.reference.fuzz --minutes $(MINUTES) --players $(PLAYERS)

bench: setup ## figures, beside OpenSpiel where it is installed
	$(BIN)/gosu-rl bench

clean: ## remove what was built here (not the compiled code in the user's cache)
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .hypothesis .ruff_cache .mypy_cache out
