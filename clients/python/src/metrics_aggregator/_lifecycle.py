"""Ends of processes: closes open publishers at exit, and restarts them in forked children."""

from __future__ import annotations

import atexit
import os
import sys
from typing import Protocol


class Closable(Protocol):
    """What ends with its process."""

    def close(self, timeout: float) -> object:
        """End within so many seconds."""

    def restart_in_child(self) -> None:
        """Begin anew in a forked child."""


# Time at exit for what waits in all publishers, in seconds. Short: a program that measures must end without a daemon, too.
EXIT_SECONDS = 2.0

# Holds them: a publisher that the program no longer knows may still have records to send.
_open: set[Closable] = set()


def opened(outbox: Closable) -> None:
    """Close this outbox at exit, unless `closed` comes first."""
    _open.add(outbox)


def opened_in_child(outbox: Closable) -> None:
    """Close it also at the end of a child of `multiprocessing`, which leaves without running atexit."""
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.Finalize(None, outbox.close, args=(EXIT_SECONDS,), exitpriority=100)


def closed(outbox: Closable) -> None:
    """Forget a closed outbox."""
    _open.discard(outbox)


def _close_all() -> None:
    for outbox in list(_open):
        outbox.close(EXIT_SECONDS)


def _restart_all() -> None:
    for outbox in list(_open):
        outbox.restart_in_child()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_restart_all)
