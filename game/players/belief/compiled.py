"""Calls compiled.c, built as WebAssembly, whose arithmetic is bit-identical on every machine.

    run("list", [sizes, rows, ...])

`make compiled` builds compiled.wasm. The first call loads it, and wasmtime caches the machine
code in the user's cache folder, if that is writable.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import local
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from wasmtime import Config, Engine, Instance, Module, Store, WasmtimeError

Name = Literal["draw", "list", "count", "forward"]
_PATH = Path(__file__).with_name("compiled.wasm")
_ALIGNMENT = 16
"""The alignment of each array, in bytes."""


def run(name: Name, arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[np.uint8]:
    """Passes the arrays to a function, which reads them in order, and returns its output."""
    program = _program()
    sizes = [-(-array.nbytes // _ALIGNMENT) * _ALIGNMENT for array in arrays]
    at = address = program.call("room", sum(sizes))
    memory = np.ctypeslib.as_array(program.memory.get_buffer_ptr(program.store))
    for array, size in zip(arrays, sizes, strict=True):
        memory[at : at + array.nbytes] = array.reshape(-1).view(np.uint8)
        at += size
    # The upper half of the answer is an address, the lower half a number of bytes.
    start, count = divmod(program.call(name, address), 1 << 32)
    return np.frombuffer(program.memory.read(program.store, start, start + count), np.uint8)


class _Program(local):
    """The instance of the module in each thread, as two threads can't share a memory."""

    def __init__(self) -> None:
        engine, module = load()
        self.store = Store(engine)
        exports = Instance(self.store, module, []).exports(self.store)
        self.functions: dict[str, Any] = dict(exports.items())
        self.memory = self.functions["memory"]

    def call(self, name: str, argument: int) -> int:
        return int(self.functions[name](self.store, argument))


_program = cache(_Program)


@cache
def load() -> tuple[Engine, Module]:
    """The module compiled for this machine, or loaded from wasmtime's cache."""
    config = Config()
    config.parallel_compilation = False  # saves 20 ms, but its threads don't survive a fork
    with suppress(WasmtimeError):  # the cache folder may not be writable
        config.cache = True  # compiling takes 8 MB of memory
    engine = Engine(config)
    return engine, Module.from_file(engine, str(_PATH))
