"""How the core is compiled: a cache that knows all its sources, one machine-code version an entry, calls through addresses.

Most tests copy `jit.py` into a tiny package of their own, which compiles in a second; the whole kernel is compiled anew once.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from numba.core.compiler import Flags

import gosu_rl
from gosu_rl.core import jit, notice, variants

pytestmark = pytest.mark.skipif(not jit.JIT, reason="NUMBA_DISABLE_JIT is set: nothing is compiled")

PATIENCE = 900  # seconds; a cold compile takes 40 on a machine with nothing else to do

CALLEE = """
from tiny.core.jit import inner

@inner
def twice(x):
    return x + x

@inner
def pick(row, k):
    return row[k]
"""
MAIN = """
import numpy as np
from tiny.core.callee import pick, twice
from tiny.core.jit import entry

@entry
def work(row, out):
    out[0] = twice(row[0]) + twice(np.int64(row[1])) + twice(1)
    out[1] = pick(row, 1000 - 998)
"""
RUN = """
import sys, warnings
import numpy as np
from tiny.core import jit
from tiny.core.callee import twice
from tiny.core.main import work
out = np.zeros(2, np.int64)
work(np.array([1, 2, 3], np.int8), out)
stats = work.stats if jit.JIT else None
hits = sum(stats.cache_hits.values()) if stats else 0
misses = sum(stats.cache_misses.values()) if stats else 0
print(out[0], out[1], hits, misses, len(twice.signatures) if jit.JIT else 0, jit.sources_hash())
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A folder with the package `tiny`, whose core is a copy of jit.py and two small modules."""
    core = tmp_path / "tiny" / "core"
    core.mkdir(parents=True)
    (tmp_path / "tiny" / "__init__.py").touch()
    (core / "__init__.py").touch()
    shutil.copy(jit.CORE / "jit.py", core / "jit.py")
    (core / "callee.py").write_text(CALLEE)
    (core / "main.py").write_text(MAIN)
    return tmp_path


def python(
    folder: Path, code: str, cache: Path | str, *arguments: str, **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run code in a new process, with this cache and no other NUMBA setting than those given."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    paths = os.pathsep.join([str(folder), *sys.path])
    environment = {**clean, "PYTHONPATH": paths, jit.CACHE_VARIABLE: str(cache), **settings}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return done


def run(tiny: Path, cache: Path | str | None = None, **settings: str) -> list[str]:
    return python(tiny, RUN, cache or tiny / "cache", **settings).stdout.split()


def test_the_second_process_compiles_nothing(tiny: Path) -> None:
    first, second = run(tiny), run(tiny)
    assert first[:4] == ["8", "3", "0", "1"]
    assert first[4] == "1"  # `twice` was given an int8, an int64 and a literal: one version serves all
    assert second[:4] == ["8", "3", "1", "0"]
    assert second[4] == "0"  # not even the callee
    assert [p.name for p in (tiny / "cache").iterdir()] == [first[5]]


def test_an_edited_callee_is_compiled_anew(tiny: Path) -> None:
    assert run(tiny)[0] == "8"
    callee = tiny / "tiny" / "core" / "callee.py"
    callee.write_text(CALLEE.replace("x + x", "x + x + 100"))
    assert run(tiny)[:4] == ["308", "3", "0", "1"]
    callee.write_text(CALLEE)
    assert run(tiny)[:4] == ["8", "3", "1", "0"]  # the old version is still there
    assert len(list((tiny / "cache").iterdir())) == 2


def test_bounds_checking_has_a_folder_of_its_own(tiny: Path) -> None:
    (tiny / "tiny" / "core" / "main.py").write_text(MAIN.replace("1000 - 998", "1000 - 997"))  # one past the end
    plain = run(tiny)
    with pytest.raises(AssertionError, match="IndexError"):
        run(tiny, NUMBA_BOUNDSCHECK="1")
    again = run(tiny)
    assert again[2:4] == ["1", "0"]
    assert plain[5] == again[5]
    assert len(list((tiny / "cache").iterdir())) == 2


def test_without_the_jit_the_same_sources_run(tiny: Path) -> None:
    assert run(tiny, NUMBA_DISABLE_JIT="1")[:2] == ["8", "3"]
    assert not (tiny / "cache").exists()


def test_old_folders_are_removed(tiny: Path) -> None:
    cache = tiny / "cache"
    for k in range(12):
        (cache / f"{k:016x}").mkdir(parents=True)
        os.utime(cache / f"{k:016x}", (k, k))
    (cache / "mine").mkdir()
    current = run(tiny)[5]
    left = {p.name for p in cache.iterdir()}
    assert left == {current, "mine", *(f"{k:016x}" for k in range(5, 12))}


def test_an_unwritable_cache_warns_and_works(tiny: Path) -> None:
    (tiny / "file").touch()
    done = python(tiny, RUN, tiny / "file" / "cache")
    assert done.stdout.split()[:2] == ["8", "3"]
    assert "cannot write compiled code" in done.stderr
    assert jit.CACHE_VARIABLE in done.stderr


# ------------------------------------------------------------------------------------------------ the kernel itself

USE_ALL = """
import gc, sys
import gosu_rl
from gosu_rl.core import jit, warm
for players in (2, 3, 4):
    game = gosu_rl.game("tactics", players, cards=sys.argv[1] if len(sys.argv) > 1 else None)
    state = game.new(seed=1)
    log = game.log(state)
    while not state.over:
        view = state.view(state.mover)
        state.observation(0), state.mask, state.legal, view.determinize(3)
        state.apply(game.choose(view, "greedy" if state.decisions % 2 else "random", 1))
        log.note(state)
        game.parse(str(state))
    game.playouts(3, seed=1)
    game.play_many(["greedy", "random"] + ["random"] * (players - 2), [1, 2, 3], advantage=[0, 1, -1])
warm.compile_all()
versions = jit.specialisations()
hits = sum(sum(d.stats.cache_hits.values()) for d in jit.ENTRIES)
misses = sum(sum(d.stats.cache_misses.values()) for d in jit.ENTRIES)
inner = [d for d in gc.get_objects() if type(d).__name__ == "CPUDispatcher" and d.py_func.__module__.startswith("gosu_rl.")
         and d not in jit.ENTRIES]
files = sum(1 for _ in jit.cache_folder().iterdir())
print(max(versions.values()), sum(versions.values()), len(versions), hits, misses, files,
      len(inner), sum(len(d.signatures) for d in inner), max(len(d.signatures) for d in inner))
"""


RECORDS = len({(kernel.state, kernel.rules) for kernel in variants.KERNELS.values()})  # kernels may share them


def numbers(done: subprocess.CompletedProcess[str]) -> dict[str, int]:
    names = ("most", "versions", "entries", "hits", "misses", "files", "inner", "inner_versions", "inner_most")
    return dict(zip(names, map(int, done.stdout.split()), strict=True))


def package() -> Path:
    return Path(gosu_rl.__file__).parents[1]


def test_edited_cards_compile_nothing(tmp_path: Path) -> None:
    """Everything is used with the packaged cards, then, in a new process, with an edited set."""
    cache = tmp_path / "cache"  # a copy: other tests add to the common one at the same time
    folder = cache / jit.cache_folder().name
    shutil.copytree(jit.cache_folder(), folder, ignore=shutil.ignore_patterns("tmp*"))
    same = {k: v for k, v in os.environ.items() if k.startswith("NUMBA_")}
    python(package(), USE_ALL, cache, **same)
    text = (jit.CORE / "cards" / "sets" / "tactics.toml").read_text("utf-8")
    edited = text.replace('composition = "rulebook"', 'composition = "free"').replace("strength = 2", "strength = 4")
    assert edited != text
    (tmp_path / "mine.toml").write_text(edited.replace('name = "tactics"', 'name = "mine"', 1), "utf-8")
    before = sorted((p.name, p.stat().st_mtime_ns) for p in folder.iterdir())
    seen = numbers(python(package(), USE_ALL, cache, str(tmp_path / "mine.toml"), **same))
    assert seen["misses"] == 0
    assert seen["hits"] == seen["versions"]
    assert seen["most"] == RECORDS  # loops over any game have one version for each
    assert seen["inner_versions"] == 0  # nothing was compiled, so no callee was looked at
    assert sorted((p.name, p.stat().st_mtime_ns) for p in folder.iterdir()) == before


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(PATIENCE)
def test_a_cold_compile_makes_one_version_of_each_function(tmp_path: Path) -> None:
    """Twice as many versions is twice the wait: each function is compiled once for each pair of record types, but for a few that
    serve two kinds of record."""
    cold = numbers(python(package(), USE_ALL, tmp_path / "cache"))
    assert cold["most"] == RECORDS
    assert cold["entries"] < cold["versions"] == cold["misses"] < RECORDS * cold["entries"]
    assert cold["inner"] > 80
    assert cold["inner_most"] <= 3 * RECORDS
    assert cold["inner_versions"] <= 1.5 * cold["inner"]
    warm = numbers(python(package(), USE_ALL, tmp_path / "cache"))
    assert (warm["hits"], warm["misses"], warm["files"]) == (cold["misses"], 0, cold["files"])


def test_a_call_through_the_address_table_equals_a_direct_call() -> None:
    game = gosu_rl.game("tactics", 2)
    kernel = game.kernel
    from gosu_rl.core import playout
    from gosu_rl.core.position import records

    one, two = records(np.zeros(1, game.state_dtype)), records(np.zeros(1, game.state_dtype))
    seed = np.uint64(5)
    playout.begin(kernel.need("deal", "step"), game.R, one, game.blank, 2, seed, -1)
    two[0] = game.blank[0]
    kernel.functions["deal"](two[0], game.R[0], 2, seed, -1)
    kernel.functions["step"](two[0], game.R[0], -1)
    assert one.tobytes() == two.tobytes()
    assert one["decisions"][0] == 0
    assert one["mover"][0] >= 0
    assert [len(kernel.functions[name].signatures) for name in ("deal", "step")] == [1, 1]


def test_the_address_table_fills_as_functions_are_needed() -> None:
    kernel = gosu_rl.game("tactics", 2).kernel
    table = kernel.need("step")
    k = 2 * kernel.place("step")
    assert table[k] != 0
    assert table[k + 1] != 0
    assert kernel.need("step") is table


def test_compiler_flags_compare_as_numba_has_them():
    flags = Flags()
    assert flags.values() == {name: getattr(flags, name) for name in flags.options}
    flags.nrt = True
    assert flags.values() == {name: getattr(flags, name) for name in flags.options}
    assert flags.values()["nrt"] is True
    assert flags != Flags()
    flags.discard("nrt")
    assert flags == Flags()
    assert hash(flags) == hash(Flags())


@pytest.mark.parametrize("first", [0, 700, 50_000])
def test_garbage_is_collected_as_before_once_code_is_compiled(first):
    before = gc.get_threshold()
    try:
        gc.set_threshold(first, 7, 9)
        with notice.compiling():
            assert gc.get_threshold() == ({0: 0, 700: notice.RARE, 50_000: 50_000}[first], 7, 9)
            with notice.compiling():
                pass
            assert gc.get_threshold()[0] != 700
        assert gc.get_threshold() == (first, 7, 9)
        with suppress(KeyError), notice.compiling():
            raise KeyError
        assert gc.get_threshold() == (first, 7, 9)
    finally:
        gc.set_threshold(*before)
