"""Behaves well in a process that gevent monkey-patched, such as a Locust worker.

Threads, locks and sleeps need no care: `threading` and `time` are patched in place, so the flusher becomes a greenlet. What
blocks inside libzmq does: it would stop every greenlet.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def patched() -> bool:
    """Return whether threads are greenlets here."""
    monkey = sys.modules.get("gevent.monkey")
    return monkey is not None and bool(monkey.is_module_patched("threading"))


def off_the_hub(call: Callable[[], T]) -> T:
    """Run a call that blocks: in a native thread under gevent, else directly."""
    if not patched():
        return call()
    from gevent import get_hub  # type: ignore[import-untyped,unused-ignore]

    result: T = get_hub().threadpool.apply(call)
    return result
