"""Records and frames as they travel (docs/protocol.md); no state, safe from every thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .server_times import ServerTimes
    from .usage import Usage

TOPIC_BYTES = 40

SESSION_STARTED = "session.started"
SESSION_ENDED = "session.ended"
SESSION_STOP_LOADGEN = "session.stop_loadgen"
SESSION_START_TRACKING = "session.start_performance_tracking"
SESSION_STOP_TRACKING = "session.stop_performance_tracking"
SESSION_PHASE_START = "session.phase_start"
SESSION_INTERRUPTED = "session.interrupted"
SAMPLE_ISSUED = "sample.issued"
SAMPLE_RECV_FIRST = "sample.recv_first"
SAMPLE_RECV_NON_FIRST = "sample.recv_non_first"
SAMPLE_COMPLETE = "sample.complete"
METRIC_COUNT = "metric.count"
METRIC_GAUGE = "metric.gauge"
METRIC_RECORD = "metric.record"
TRANSFER_STATS = "transfer.stats"
OPERATION_COMPLETE = "operation.complete"
TOOL_COMPLETE = "tool.complete"
RESOURCE_SAMPLE = "resource.sample"
BATCH = "batch"
CHUNKS = "chunks"
SNAPSHOT = b"MET\0".ljust(TOPIC_BYTES, b"\0")

# Elements after the tag: TextModelOutput 3, PromptData 7, ErrorData 2, PhaseData 3.
Data = tuple[Any, ...]


class Event(msgspec.Struct, omit_defaults=True):
    """A session, sample or error record. The outbox sets `source_id`, `seq` and `life`."""

    event_type: str
    timestamp_ns: int
    sample_uuid: str = ""
    conversation_id: str = ""
    turn: int | None = None
    data: Data | None = None
    finish_reason: str | None = None
    usage: Usage | None = None
    server: ServerTimes | None = None
    part: str | None = None
    tokens: int | None = None
    handle: int | None = None
    scheduled_ns: int | None = None
    labels: Mapping[str, str] | None = None
    last_turn: bool | None = None
    job_id: str | None = None
    parents: Sequence[str] | None = None
    agent: str | None = None
    last_of_job: bool | None = None
    traceparent: str | None = None
    source_id: str = ""
    seq: int = -1
    life: int = -1


class Metric(msgspec.Struct, omit_defaults=True):
    """A record of a metric of the producer's own. `wall_ns` lets the daemon order those of several hosts."""

    event_type: str
    timestamp_ns: int
    name: str
    value: int | float
    wall_ns: int
    unit: str | None = None
    labels: Mapping[str, str] | None = None
    source_id: str = ""
    seq: int = -1
    life: int = -1


class Telemetry(msgspec.Struct):
    """A record of transfers, operations or resources: flat, with `fields` beside the keys that all of them have."""

    event_type: str
    timestamp_ns: int
    wall_ns: int
    node_id: str
    fields: dict[str, Any]
    source_id: str = ""
    seq: int = -1
    life: int = -1

    def flat(self) -> dict[str, Any]:
        """Return the record as it travels."""
        own = {name: getattr(self, name) for name in self.__struct_fields__ if name != "fields"}
        return {**self.fields, **own}


Record = Union[Event, Metric, Telemetry]

_encode = msgspec.msgpack.Encoder().encode


def topic(name: str) -> bytes:
    """Return the 40 bytes that a frame of this topic begins with."""
    return name.encode().ljust(TOPIC_BYTES, b"\0")


BATCH_TOPIC = topic(BATCH)
CHUNKS_TOPIC = topic(CHUNKS)


def pack(value: tuple[Any, ...]) -> bytes:
    """Return a value as MessagePack.

    Raises:
        Exception: MessagePack cannot express it.
    """
    return _encode(value)


def encode(record: Record) -> bytes:
    """Return the record as MessagePack; texts that are not valid UTF-8 keep what is valid.

    Raises:
        Exception: a field holds what MessagePack cannot express. The caller counts it.
    """
    try:
        return _encode(record.flat() if isinstance(record, Telemetry) else record)
    except UnicodeEncodeError:
        # A lone surrogate: json.loads makes them from half of an escaped pair.
        for name in record.__struct_fields__:
            setattr(record, name, _valid(getattr(record, name)))
        return _encode(record.flat() if isinstance(record, Telemetry) else record)


def _valid(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, (list, tuple)):
        return tuple(_valid(each) for each in value)
    if isinstance(value, dict):
        return {_valid(key): _valid(each) for key, each in value.items()}
    return value
