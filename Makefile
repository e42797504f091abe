# Two commands matter: `make demo` (set up, train, play a tournament, measure win rates) and `make test` (set up, then run every test).
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
PLAYERS ?= 2,3,4
MINUTES ?= 5
DEALS  ?= 5000
TRAIN  ?= 2

# Of each table of win rates: its title and three figures of all seats.
SUMMARY = '/^Win rates/ { print "\n" $$0 } /^[A-Z]/ { section = $$0; sub(/  \[.*| \(.*/, "", section) } \
	/^  (any seat|all battles) / && section ~ /^(Win share of the first|Effect of|Battles decided)/ \
	{ value = substr($$0, 42); printf "  %-32s%s\n", section, value }'

.PHONY: help setup demo test test-bounds notebook lint fuzz fuzz-epic bench clean

help: ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

setup: $(STAMP) ## make .venv with the pinned packages

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(STAMP)

demo: setup ## the three main jobs: train by self-play, a tournament, win rates by seat and Advantage card
	$(BIN)/gosu-rl compile --all
	$(BIN)/gosu-rl train --config configs/tactics_demo.yaml budget.minutes=$(TRAIN) --out out/demo/ppo --fresh
	$(BIN)/gosu-rl tournament tactics --agents 'random;greedy;mcts:sims=100;ppo:out/demo/ppo' --players 2 --deals 20 --fresh --out out/demo/tournament
	$(BIN)/gosu-rl winrates tactics --agents random --players 2 --deals $(DEALS) --fresh --out out/demo/random-2p > /dev/null
	$(BIN)/gosu-rl winrates tactics --agents random --players 4 --deals $(DEALS) --fresh --out out/demo/random-4p > /dev/null
	$(BIN)/gosu-rl winrates tactics --agents greedy --players 2 --deals $(DEALS) --fresh --out out/demo/greedy-2p > /dev/null
	$(BIN)/gosu-rl winrates tactics --agents greedy --players 4 --deals $(DEALS) --fresh --out out/demo/greedy-4p > /dev/null
	@cat $(foreach run,random-2p random-4p greedy-2p greedy-4p,out/demo/$(run)/winrates.txt) | awk $(SUMMARY)
	@echo; echo "All tables lie beside them: out/demo/*/*.txt. The pictures:"; ls -1 out/demo/*/*.png

# All tests but the few that take long or say at more length what others say, then the small suite without the compiler: five and one
# minutes on two cores. CI runs the whole suite, with more games and bounds checks, besides (test-bounds). The groups that
# --dist loadgroup keeps in one process stand in tests/conftest.py.
test: setup ## the tests, and the small suite without the JIT
	$(BIN)/gosu-rl compile --all
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadgroup -m "not long"
	OMP_NUM_THREADS=1 NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n auto --dist loadgroup -m nojit

test-bounds: setup ## every test, the long ones too, with more games and with numba's bounds checks (CI runs it too)
	NUMBA_BOUNDSCHECK=1 $(BIN)/gosu-rl compile --all
	OMP_NUM_THREADS=1 NUMBA_BOUNDSCHECK=1 GOSU_RL_REFERENCE_TIMES=6 $(BIN)/python -m pytest -n auto --dist loadgroup

notebook: setup ## execute the notebook (about four minutes) into out/
	mkdir -p out
	$(BIN)/python -m notebooks.execute notebooks/train_and_play.ipynb out/train_and_play.ipynb

lint: setup ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fuzz: setup ## core against the reference model: make fuzz MINUTES=60 PLAYERS=2,3,4
	$(BIN)/python -m tests.reference.fuzz --minutes $(MINUTES) --players $(PLAYERS)

fuzz-epic: setup ## the same for Epic Death, two to six players
	$(BIN)/python -m tests.reference_epic.fuzz --minutes $(MINUTES) --players 2,3,4,5,6

bench: setup ## figures, beside OpenSpiel where it is installed
	$(BIN)/gosu-rl bench

clean: ## remove what was built here (not the compiled code in the user's cache)
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .hypothesis .ruff_cache .mypy_cache out
