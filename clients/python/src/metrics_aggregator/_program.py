"""Finds the program metrics-aggregator and runs its commands; no state."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from .errors import MetricsAggregatorError, ProgramNotFoundError

_VARIABLE = "METRICS_AGGREGATOR"


class Program(NamedTuple):
    """How to start the program: its path, and the environment that has its Java runtime."""

    path: str
    environment: dict[str, str]


def find_program() -> Program:
    """Return the program that METRICS_AGGREGATOR names, that of the extra `daemon`, or the one on the PATH, in this order.

    Raises:
        ProgramNotFoundError: there is none.
    """
    environment = dict(os.environ)
    if named := environment.get(_VARIABLE):
        if not os.access(named, os.X_OK) or not Path(named).is_file():
            raise ProgramNotFoundError(f"{_VARIABLE}={named} is not a program that can be run.")
        return Program(os.path.abspath(named), environment)
    try:
        import metrics_aggregator_daemon as installed
    except ImportError as e:
        if e.name != "metrics_aggregator_daemon":
            raise
    else:
        return Program(installed.LAUNCHER, {**environment, **installed.environment()})
    for folder in os.get_exec_path(environment):
        found = shutil.which("metrics-aggregator", path=folder)
        if found and not _is_this_command(found):
            return Program(found, environment)
    raise ProgramNotFoundError(
        "The program metrics-aggregator is not installed. Run: pip install 'metrics-aggregator[daemon]', "
        f"or put it on the PATH, or set {_VARIABLE} to its path."
    )


def run_program(*arguments: str | Path, timeout: float = 300) -> bytes:
    """Run a command to its end and return its standard output.

    Raises:
        ProgramNotFoundError: the program is not installed.
        MetricsAggregatorError: the command failed, with the end of its messages, or took longer than `timeout` seconds.
    """
    program = find_program()
    command = [program.path, *map(str, arguments)]
    try:
        done = subprocess.run(
            command, env=program.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as e:
        raise MetricsAggregatorError(f"Cannot run metrics-aggregator {arguments[0]}: {e}") from e
    if done.returncode:
        message = done.stderr.decode("utf-8", "replace").strip()[-2000:]
        raise MetricsAggregatorError(f"metrics-aggregator {arguments[0]} ended with status {done.returncode}: {message}")
    return done.stdout


def _is_this_command(path: str) -> bool:
    """Whether a file is the command of this package, in any environment: it would look for the program as we do, and find us."""
    try:
        with Path(path).open("rb") as file:
            return b"metrics_aggregator" in file.read(4096)
    except OSError:
        return True
