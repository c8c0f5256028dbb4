"""Compiles what the belief runs: python -m tests.support.compiled, whenever compiled.c changes."""

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "game" / "players" / "belief"
SOURCE, PROGRAM = FOLDER / "compiled.c", FOLDER / "compiled.wasm"
FUNCTIONS = ("room", "draw", "list", "count", "forward")
MOST_BYTES = 32 << 20
"""The memory of the program, whatever is asked."""
COMMAND = [
    sys.executable, "-m", "ziglang", "cc", "--target=wasm32-freestanding", "-nostdlib", "-O3",
    "-msimd128", "-mbulk-memory", "-Wall", "-Wextra", "-Werror", "-Wl,--no-entry",
    "-Wl,--strip-all", f"-Wl,--max-memory={MOST_BYTES}",
    *(f"-Wl,--export={name}" for name in FUNCTIONS),
]  # fmt: skip


def build(program: Path, scratch: Path) -> None:
    """Writes the program; the compiler keeps what it needs in `scratch`."""
    folders = {"ZIG_GLOBAL_CACHE_DIR": str(scratch), "ZIG_LOCAL_CACHE_DIR": str(scratch)}
    # In the folder of the source, whose path would otherwise be part of what is compiled.
    command = [*COMMAND, "-o", str(program), SOURCE.name]
    subprocess.run(command, check=True, cwd=FOLDER, env={**os.environ, **folders})
    program.chmod(0o644)


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        build(PROGRAM, Path(folder))
