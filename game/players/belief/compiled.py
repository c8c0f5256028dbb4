"""Calls what compiled.c does: WebAssembly, whose arithmetic is the same to the bit everywhere.

    run("list", [sizes, rows, ...])

`make compiled` builds compiled.wasm. It is read at the first call, and wasmtime keeps what it makes
of it in the user's folder for caches, if it may write there.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import local
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from wasmtime import Config, Engine, Instance, Module, Store, WasmtimeError

Name = Literal["draw", "list", "follow", "forward"]
_PATH = Path(__file__).with_name("compiled.wasm")
_ALIGNMENT = 16
"""Each array begins at a multiple of so many bytes."""


def run(name: Name, arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[np.uint8]:
    """What a function answers to these arrays, which it reads one after another."""
    program = _program()
    sizes = [-(-array.nbytes // _ALIGNMENT) * _ALIGNMENT for array in arrays]
    at = address = program.call("room", sum(sizes))
    memory = np.ctypeslib.as_array(program.memory.get_buffer_ptr(program.store))
    for array, size in zip(arrays, sizes, strict=True):
        memory[at : at + array.nbytes] = array.reshape(-1).view(np.uint8)
        at += size
    # The upper half of the answer is an address, the lower how many bytes lie there.
    start, count = divmod(program.call(name, address), 1 << 32)
    return np.frombuffer(program.memory.read(program.store, start, start + count), np.uint8)


class _Program(NamedTuple):
    """The program with a memory of its own."""

    store: Store
    functions: dict[str, Any]
    memory: Any

    def call(self, name: str, argument: int) -> int:
        return int(self.functions[name](self.store, argument))


_kept = local()
"""Has the program of each thread: no two may work in one memory."""


def _program() -> _Program:
    if not hasattr(_kept, "program"):
        engine, module = load()
        store = Store(engine)
        exports = dict(Instance(store, module, []).exports(store).items())
        _kept.program = _Program(store, exports, exports["memory"])
    program: _Program = _kept.program
    return program


@cache
def load() -> tuple[Engine, Module]:
    """The program for this machine: compiled, or as an earlier process compiled and kept it."""
    config = Config()
    config.parallel_compilation = False  # 20 ms; its threads would be lost in a fork
    with suppress(WasmtimeError):  # there may be no place to write
        config.cache = True  # the compiler takes 8 MB of a process that doesn't find its work done
    engine = Engine(config)
    return engine, Module.from_file(engine, str(_PATH))
