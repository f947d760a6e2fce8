"""Publishes measurements of load tests to the metrics-aggregator daemon, and reads its snapshots.

`Publisher` sends sessions, samples and metrics; `Subscriber` receives snapshots. Wrappers for other libraries are in modules
of their own, which import those libraries: `openai`, `sse` (httpx, aiohttp), `locust`, `litellm`.
"""

from ._outbox import Stats
from ._version import __version__
from .errors import MetricsAggregatorError, NoSubscriberError
from .publisher import NullPublisher, Publisher
from .sample import ErrorKind, Part, Sample
from .session import Session
from .snapshot import SeriesView, SnapshotView
from .subscriber import Subscriber
from .usage import Usage

#: Schema version of the snapshots that this package reads and of the records that it writes (docs/protocol.md).
PROTOCOL_VERSION = 2

__all__ = [
    "PROTOCOL_VERSION",
    "ErrorKind",
    "MetricsAggregatorError",
    "NoSubscriberError",
    "NullPublisher",
    "Part",
    "Publisher",
    "Sample",
    "SeriesView",
    "Session",
    "SnapshotView",
    "Stats",
    "Subscriber",
    "Usage",
    "__version__",
]
