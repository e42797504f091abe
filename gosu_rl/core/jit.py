"""How the core is compiled: decorators, the disk cache, and function values.

Five things here lean on internals of numba and are therefore kept in this one file, each with a test, with numba's
minor version pinned in pyproject.toml:

* `inner` widens integer arguments before dispatch, so that int8, int16 and literals share one specialisation
  (without it the `step` tree is compiled about twice over);
* `entry` stamps its disk cache with the content of *all* core sources and every NUMBA_* setting. Numba's own stamp covers
  only the file that defines the entry: an edited callee, or bounds checking switched on, would silently run old code;
* `function_at` rebuilds a first-class function value from an address inside compiled code. Passing function values as
  arguments costs some 50 us each at every call from Python, an address table less than 1 us altogether.

* `inner` functions are only lowered to LLVM IR. Numba would optimise and emit machine code for each of them, with all that it
  calls inlined, again at every level of the call tree; here the entry links the IR of everything below it and LLVM sees
  the tree once. That more than halves the cold compile (docs/benchmarks.md);
* numba compares its compiler flags some ten thousand times a kernel, and each time reads every option through a property;
  `_flag_values` gives the same dict at a tenth of the price. With rarer garbage collection while code is compiled, and no
  optimisation of parts that the entry optimises anyway, that is 15 % of the cold compile.

With NUMBA_DISABLE_JIT=1 everything runs as plain Python, from the same sources (slow; used by tests).
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import _dynfunc, njit, types
from numba.core import cgutils, config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.targetconfig import TargetConfig
from numba.core.typed_passes import NativeLowering
from numba.experimental.function_type import _get_jit_address, _get_wrapper_address
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array
from platformdirs import user_cache_dir

from gosu_rl.core.notice import compiling

JIT = not config.DISABLE_JIT
CORE = Path(__file__).resolve().parent
CACHE_VARIABLE = "GOSU_RL_CACHE_DIR"

warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)
if not JIT:  # the generator and the card sets wrap around on purpose; compiled code never warns of it
    np.seterr(over="ignore")


# ------------------------------------------------------------------------------------------------ the disk cache


@lru_cache(maxsize=1)
def sources_hash() -> str:
    """Sixteen hex digits over all core sources, the versions of numba, numpy and Python, and every NUMBA_* setting."""
    digest = hashlib.sha256()
    for path in sorted(CORE.rglob("*.py")):
        digest.update(str(path.relative_to(CORE)).encode())
        digest.update(path.read_bytes())
    settings = sorted((k, v) for k, v in os.environ.items() if k.startswith("NUMBA_"))
    digest.update(repr((numba.__version__, np.__version__, sys.version_info[:3], settings)).encode())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Where compiled code is kept: $GOSU_RL_CACHE_DIR, or the user's cache folder."""
    return Path(os.environ.get(CACHE_VARIABLE) or user_cache_dir("gosu_rl", appauthor=False))


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """The folder for this very state of the core; made on first use, the oldest of more than eight are removed."""
    folder = cache_root() / sources_hash()
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        others = [p for p in cache_root().iterdir() if p.is_dir() and len(p.name) == 16 and p != folder]
        for old in sorted(others, key=lambda p: p.stat().st_mtime)[:-7]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


@lru_cache(maxsize=1)
def cache_trouble() -> str:
    """Why compiled code cannot be kept, in one line; empty if it can."""
    try:
        with tempfile.TemporaryFile(dir=cache_folder()):
            return ""
    except OSError as error:
        return (
            f"cannot write compiled code to {cache_root()} ({error.strerror}), so every process compiles it anew; "
            f"set {CACHE_VARIABLE} to a folder that can be written"
        )


class _CoreLocator(_CacheLocator):
    """Finds the cache of a core function by the content of the whole core."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return sources_hash()

    def get_disambiguator(self) -> str:
        return str(self._lineno)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _CoreLocator | None:
        trouble = cache_trouble()
        if trouble:
            warnings.warn(trouble, stacklevel=2)
            return None
        return cls(py_func, py_file)


class _CoreCacheImpl(CompileResultCacheImpl):
    _locator_classes = [_CoreLocator]  # noqa: RUF012 - numba's name for it


class _CoreCache(FunctionCache):
    _impl_class = _CoreCacheImpl


# ------------------------------------------------------------------------------------------------ one optimisation


class _PartLibrary(JITCodeLibrary):
    """The code of an inner function: its own unoptimised IR, to be linked into entries; no machine code."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout  # and nothing else: the entry's optimisation does it all

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True


class _WholeLibrary(JITCodeLibrary):
    """The code of an entry: the IR of all inner functions below it is linked in before the one optimisation."""

    def finalize(self) -> None:
        below: list[Any] = list(self._linking_libraries)
        for library in below:  # grows while it is walked
            if isinstance(library, _PartLibrary):
                below += [other for other in library._linking_libraries if other not in below]
        self._linking_libraries: list[Any] = below
        super().finalize()

    def _optimize_final_module(self) -> None:
        # Numba runs LLVM's whole optimiser twice, for reference counts (which the core has next to none of), and lets it turn
        # loops into vector code (which loops over four seats and five slots do not repay): a third of the compile time for nothing.
        passes, builder = self._codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False)
        passes.run(self._final_module, builder)


# Called from Python, an inner function has no machine code to run; this C function raises TypeError instead.
_TRAP = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):
    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        context = state.targetctx

        def unreachable(library: Any, fndesc: Any, env: Any) -> Any:
            name = fndesc.qualname.split(".")[-1]
            return _dynfunc.make_function(fndesc.lookup_module(), name, "compiled part", _TRAP, env, (library,))

        context.get_executable = unreachable  # for this one function; the global compiler lock is held
        try:
            return super().run_pass(state)
        finally:
            del context.get_executable


@register_pass(mutates_CFG=True, analysis_only=False)
class _WholeLowering(NativeLowering):
    _name = "whole_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _WholeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


def _pipeline(lowering: type[NativeLowering]) -> type[CompilerBase]:
    class Compiler(CompilerBase):
        def define_pipelines(self) -> list[Any]:
            manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
            manager.passes = [(lowering if p is NativeLowering else p, why) for p, why in manager.passes]
            manager._finalized = False
            manager.finalize()
            return [manager]

    return Compiler


_PartCompiler = _pipeline(_PartLowering)
_WholeCompiler = _pipeline(_WholeLowering)


@lru_cache
def _flag_defaults(kind: Any) -> dict[str, Any]:
    return {name: option.default for name, option in kind.options.items()}


def _flag_values(self: Any) -> dict[str, Any]:
    """All options of a numba TargetConfig by name, set or default."""
    kind: Any = type(self)
    return {**_flag_defaults(kind), **self._values}


if JIT:
    TargetConfig.values = _flag_values


# ------------------------------------------------------------------------------------------------ decorators


def _widen(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


def _widening(dispatcher: Any) -> Any:
    plain = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: plain(tuple(map(_widen, args)), kws)
    return dispatcher


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function that only compiled code calls: no runtime (so no allocation), no cache, no machine code of its own.

    Called from Python it raises TypeError.
    """
    if not JIT:
        return function
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _PartCompiler}
    return _widening(njit(error_model="numpy", _nrt=False, **options)(function))


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that is kept on disk: a function of a kernel, or a short call from Python. It holds the GIL."""
    return _kept(function, nogil=False)


def loop(function: Callable[..., Any]) -> Any:
    """Compile a long loop over games that is kept on disk and lets other Python threads run meanwhile."""
    return _kept(function, nogil=True)


def _kept(function: Callable[..., Any], nogil: bool) -> Any:
    if not JIT:
        return function
    dispatcher = _widening(njit(error_model="numpy", nogil=nogil, pipeline_class=_WholeCompiler)(function))
    with suppress(RuntimeError):  # numba's "no locator available", after the warning above: works uncached
        dispatcher._cache = _CoreCache(function)
    ENTRIES.append(dispatcher)
    return dispatcher


ENTRIES: list[Any] = []


def specialisations() -> dict[str, int]:
    """How many machine-code versions each entry has in this process; more than one means a careless call."""
    return {f"{d.py_func.__module__}.{d.py_func.__name__}": len(d.signatures) for d in ENTRIES}


# ------------------------------------------------------------------------------------------------ function values


def _function_value(signature: Callable[[Any, Any], Any]) -> Any:
    """Make `at(table, k, states, rules)`: the k-th function of an address table, as a value that compiled code calls.

    `signature(state, rules)` gives the numba signature for the record types at hand, so one loop serves every kernel.
    Without the JIT the table is a tuple of plain functions.
    """

    def at(table, k, states, rules):
        return table[k]

    @intrinsic
    def lowered(typing, table, k, states, rules):
        kind = types.FunctionType(signature(states.dtype, rules.dtype))

        def generate(context, builder, sig, args):
            value = cgutils.create_struct_proxy(kind)(context, builder)
            pointer = context.get_value_type(types.voidptr)
            data = make_array(sig.args[0])(context, builder, args[0]).data
            one = ir.Constant(args[1].type, 1)
            first = builder.mul(args[1], ir.Constant(args[1].type, 2))
            value.c_addr = builder.inttoptr(builder.load(builder.gep(data, [first])), pointer)
            value.py_addr = pointer(None)
            value.jit_addr = builder.inttoptr(builder.load(builder.gep(data, [builder.add(first, one)])), pointer)
            return value._getvalue()

        return kind(table, types.int64, states, rules), generate

    @overload(at)
    def _(table, k, states, rules):
        return lambda table, k, states, rules: lowered(table, k, states, rules)

    return at


def act_signature(state: Any, rules: Any) -> Any:
    """(state, rules, number) -> nothing: step, hide, redeal."""
    return types.void(state, rules, types.int64)


def deal_signature(state: Any, rules: Any) -> Any:
    """(state, rules, players, seed, holder or -1) -> nothing."""
    return types.void(state, rules, types.int64, types.uint64, types.int64)


def observe_signature(state: Any, rules: Any) -> Any:
    """(state, rules, seat, float32[:]) -> nothing."""
    return types.void(state, rules, types.int64, types.float32[::1])


def choose_signature(state: Any, rules: Any) -> Any:
    """(view, rules, random word) -> action."""
    return types.int64(state, rules, types.uint64)


def note_signature(state: Any, row: Any) -> Any:
    """(state, result row, moment) -> nothing."""
    return types.void(state, row, types.int64)


act_at = _function_value(act_signature)
deal_at = _function_value(deal_signature)
observe_at = _function_value(observe_signature)
choose_at = _function_value(choose_signature)
note_at = _function_value(note_signature)


def record_type(dtype: np.dtype) -> Any:
    """The numba type of one record of a structured dtype."""
    return numba.from_dtype(dtype)


def prepare(function: Any, signature: Any) -> None:
    """Compile `function` for one signature, or load it from disk; a compile that takes long announces itself."""
    if JIT:
        with compiling():
            function.compile(signature)


def addresses(functions: list[tuple[Any, Any]]) -> Any:
    """The table that `*_at` reads: int64[2 k], C address and numba address of each (function, signature)."""
    if not JIT:
        return tuple(function for function, _ in functions)
    table = []
    for function, signature in functions:
        prepare(function, signature)
        table += [_get_wrapper_address(function, signature), _get_jit_address(function, signature)]
    return np.array(table, np.int64)
