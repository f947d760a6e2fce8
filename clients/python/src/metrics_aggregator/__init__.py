"""Publishes measurements of load tests to the metrics-aggregator daemon, and reads snapshots and finished runs.

`Publisher` sends sessions, samples and metrics; `Subscriber` receives snapshots; `load` opens a finished run; `Daemon` starts
the program for one. Wrappers for other libraries are in modules of their own, which import those libraries: `openai`, `sse`
(httpx, aiohttp), `locust`, `litellm`.
"""

import importlib
import importlib.util
from typing import TYPE_CHECKING

from ._version import __version__

if TYPE_CHECKING:
    from ._outbox import Stats
    from .daemon import Daemon
    from .errors import InvalidRunError, MetricsAggregatorError, NoSubscriberError, ProgramNotFoundError
    from .publisher import NullPublisher, Publisher
    from .run import Run, RunSeries, Verdict, load
    from .sample import ErrorKind, Part, Sample
    from .server_times import ServerTimes
    from .session import Session
    from .snapshot import SeriesView, SnapshotView
    from .subscriber import Subscriber
    from .usage import Usage

#: Schema version of the snapshots that this package reads and of the records that it writes (docs/protocol.md).
PROTOCOL_VERSION = 2

__all__ = [
    "PROTOCOL_VERSION",
    "Daemon",
    "ErrorKind",
    "InvalidRunError",
    "MetricsAggregatorError",
    "NoSubscriberError",
    "NullPublisher",
    "Part",
    "ProgramNotFoundError",
    "Publisher",
    "Run",
    "RunSeries",
    "Sample",
    "SeriesView",
    "Session",
    "SnapshotView",
    "Stats",
    "Subscriber",
    "ServerTimes",
    "Usage",
    "Verdict",
    "__version__",
    "load",
]

_missing = [name for name, module in {"pyzmq": "zmq", "msgspec": "msgspec"}.items() if not importlib.util.find_spec(module)]
if _missing:
    raise ModuleNotFoundError(
        f"metrics_aggregator needs {' and '.join(_missing)}. Run: pip install metrics-aggregator, "
        f"or: pip install {' '.join(_missing)}"
    )

# The command and the pytest plugin start without ZeroMQ: a module is imported when the first of its names is used.
_MODULES = {
    "Stats": "_outbox",
    "Daemon": "daemon",
    "InvalidRunError": "errors",
    "MetricsAggregatorError": "errors",
    "NoSubscriberError": "errors",
    "ProgramNotFoundError": "errors",
    "NullPublisher": "publisher",
    "Publisher": "publisher",
    "Run": "run",
    "RunSeries": "run",
    "Verdict": "run",
    "load": "run",
    "ErrorKind": "sample",
    "Part": "sample",
    "Sample": "sample",
    "Session": "session",
    "SeriesView": "snapshot",
    "SnapshotView": "snapshot",
    "Subscriber": "subscriber",
    "ServerTimes": "server_times",
    "Usage": "usage",
}

if not TYPE_CHECKING:

    def __getattr__(name):
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
        globals()[name] = value
        return value

    def __dir__():
        return sorted({*globals(), *_MODULES})
