"""The command metrics-aggregator: becomes the program, which the extra `daemon` installs."""

from __future__ import annotations

import os
import sys

from ._program import find_program
from .errors import ProgramNotFoundError


def main() -> None:
    """Replace this process by the program, with the same arguments; exit with status 2 if it is not installed."""
    try:
        program = find_program()
    except ProgramNotFoundError as e:
        sys.exit(_fail(str(e)))
    os.execve(program.path, [program.path, *sys.argv[1:]], program.environment)


def _fail(message: str) -> int:
    sys.stderr.write(f"metrics-aggregator: {message}\n")
    return 2


if __name__ == "__main__":
    main()
