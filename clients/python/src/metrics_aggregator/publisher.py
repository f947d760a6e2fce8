"""Publishes measurements to the daemon."""

from __future__ import annotations

import asyncio
import itertools
import os
import secrets
import socket as sockets
import time
from typing import TYPE_CHECKING, Any

from . import _wire
from ._endpoint import parse_endpoint, parse_size
from ._outbox import Outbox, Stats
from ._socket import EventSocket
from ._wire import Event, Metric, Telemetry
from .errors import MetricsAggregatorError, NoSubscriberError
from .sample import Sample, error_data
from .session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import TypeAlias

    from typing_extensions import Self

    from ._chunks import Stream
    from .sample import ErrorKind

__all__ = ["NullPublisher", "Publisher"]

ENDPOINT_VARIABLE = "METRICS_AGGREGATOR_ENDPOINT"
DISABLED_VARIABLE = "METRICS_AGGREGATOR_DISABLED"
POLL_SECONDS = 0.005

Labels: TypeAlias = "Mapping[str, str] | None"


class Publisher:
    """Publishes sessions, samples and metrics to a daemon.

    >>> with Publisher("ipc:///tmp/bench/events") as publisher:
    ...     publisher.wait_for_subscriber(timeout=30)
    ...     with publisher.session():
    ...         with publisher.sample(prompt="What is a sidecar?") as sample:
    ...             sample.token()
    ...             sample.complete(output="A process beside another.", finish_reason="stop")

    No recording call waits for a peer or raises: a record is encoded into a batch, which is sent when it has 1000 records or
    256 KiB, every 10 ms, and with each session event. What no subscriber takes waits in a queue of `max_queue` bytes; new
    batches beyond that are dropped and counted in `stats()`. Each record has a sequence number, so the daemon reports in
    `seq_lost` what it did not receive. Any thread may call a publisher. A forked child goes on with a new `source_id` and an
    empty queue if the publisher connects; one that binds drops the child's records. Open publishers are closed at exit.

    Args:
        endpoint: `ipc://PATH` or `tcp://HOST:PORT`, optionally after `bind:` or `connect:`; default: the environment variable
            METRICS_AGGREGATOR_ENDPOINT.
        connect: Connect to a daemon that binds (`--in bind:…`) instead of binding. Needed for several processes.
        source: This process in the daemon's table of workers; default: `HOST:PID:hex`.
        max_queue: Limit of the queue, in bytes or as text such as `256MiB`.
        curve_key: File with public and secret key, for CURVE over tcp with `connect=True`.
        curve_server_key: Public key of the daemon.

    With METRICS_AGGREGATOR_DISABLED=1 in the environment nothing is opened and nothing recorded, as with `NullPublisher`.

    Raises:
        MetricsAggregatorError: the endpoint is missing or cannot be opened, or an argument is invalid.
    """

    def __init__(
        self,
        endpoint: str | None = None,
        *,
        connect: bool = False,
        source: str | None = None,
        max_queue: int | str = "256MiB",
        curve_key: str | Path | None = None,
        curve_server_key: str | None = None,
    ) -> None:
        self._outbox = _no_outbox if _disabled() else _open(endpoint, connect, source, max_queue, curve_key, curve_server_key)
        self._ids = itertools.count()
        self._id_prefix = ""
        self._id_process = -1

    # -- recording -------------------------------------------------------------------------------------------------

    def session(self, *, tracking: bool = True) -> Session:
        """Return the run as a context manager; with `tracking=False` its window opens with `Session.tracking()`."""
        return Session(self._outbox, tracking=tracking)

    def sample(
        self,
        prompt: str | None = None,
        *,
        id: str | None = None,  # noqa: A002
        token_ids: Sequence[int] | None = None,
        messages: Sequence[Mapping[str, Any]] | None = None,
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: Any = None,
        scheduled_ns: int | None = None,
        conversation_id: str = "",
        turn: int | None = None,
        last_turn: bool = False,
        labels: Labels = None,
        job_id: str | None = None,
        parents: Sequence[str] = (),
        agent: str | None = None,
        last_of_job: bool = False,
        traceparent: str | None = None,
        at: int | None = None,
    ) -> Sample:
        """Record `sample.issued` and return the sample. Call it immediately before sending the request.

        Args:
            prompt: Text of the prompt, from which the daemon counts tokens if it has a tokenizer.
            id: Unique id; default: 32 hex digits.
            token_ids: The prompt as token ids, instead of text.
            messages: The prompt as chat messages, instead of text; the daemon applies the model's chat template.
            tools: Tools that the template shows to the model.
            tool_choice: As in the request.
            scheduled_ns: When the request was due, on the clock of `time.monotonic_ns()`. With it the daemon reports
                `schedule_slip_ns` and response times from the schedule.
            conversation_id: The conversation that this request continues.
            turn: The turn within it.
            last_turn: Whether the conversation ends with this turn.
            labels: Up to 8 pairs, such as `{"model": "m", "endpoint": "a"}`; the daemon breaks figures down by them.
            job_id: The job of an agent that this request is part of; default: the one named by the conversation.
            parents: Up to 8 ids of samples and tools of the job that had to end before this request.
            agent: The agent that sends it, up to 64 bytes.
            last_of_job: Whether the job ends with this request.
            traceparent: The request's header of that name (W3C Trace Context). Exemplars of the slowest samples name its
                trace, and a span of the same request is no second sample.
            at: When the request was issued, `time.monotonic_ns()`; default: now.
        """
        issued = time.monotonic_ns() if at is None else at
        data = None
        if prompt is not None or token_ids is not None or messages is not None:
            data = ("PromptData", prompt, token_ids, messages, tools, None, None, tool_choice)
        sample_id = self._next_id() if id is None else id
        event = Event(_wire.SAMPLE_ISSUED, issued, sample_id, conversation_id, turn, data)
        event.scheduled_ns = scheduled_ns
        event.labels = _unless_empty(labels)
        event.last_turn = True if _is_true(last_turn) else None
        event.job_id = job_id
        event.parents = _listed(parents) or None
        event.agent = agent
        event.last_of_job = True if _is_true(last_of_job) else None
        event.traceparent = traceparent
        self._outbox.put(event)
        return Sample(self._outbox, sample_id, conversation_id, turn)

    def error(self, error: BaseException | str, message: str | None = None, *, kind: ErrorKind = "loadgen") -> None:
        """Record an error that belongs to no sample: the exception, or its type as text, and what happened."""
        self._outbox.put(Event(f"error.{kind}", time.monotonic_ns(), data=error_data(error, message)))

    def count(
        self, name: str, value: float = 1, *, unit: str | None = None, labels: Labels = None, at: int | None = None
    ) -> None:
        """Add `value`, at least 0, to a counter of your own."""
        self._metric(_wire.METRIC_COUNT, name, value, unit, labels, at)

    def gauge(self, name: str, value: float, *, unit: str | None = None, labels: Labels = None, at: int | None = None) -> None:
        """Record the present value of something that rises and falls."""
        self._metric(_wire.METRIC_GAUGE, name, value, unit, labels, at)

    def record(self, name: str, value: float, *, unit: str | None = None, labels: Labels = None, at: int | None = None) -> None:
        """Add a value to a distribution of your own."""
        self._metric(_wire.METRIC_RECORD, name, value, unit, labels, at)

    def _metric(self, event_type: str, name: str, value: float, unit: str | None, labels: Labels, at: int | None) -> None:
        now = time.monotonic_ns()
        wall = time.time_ns()
        if isinstance(at, int):
            wall -= now - at
        self._outbox.put(Metric(event_type, now if at is None else at, name, value, wall, unit, _unless_empty(labels)))

    def transfer_stats(self, stats: Any, *, at: int | None = None) -> None:
        """Forward the statistics of a connector of vLLM, once an interval: a `KVConnectorStats` object, or its `data`.

        The daemon sums them up and prints vLLM's log line, with what is not in it beside. Take the object that
        `clone_and_reset()` returns, so that no transfer is sent twice.
        """
        data = getattr(stats, "data", stats)
        self._telemetry(_wire.TRANSFER_STATS, {"data": data}, at)

    def operation(self, name: str, key: str | Sequence[str], duration_ns: int, *, ok: bool = True, at: int | None = None) -> None:
        """Record an operation that ended, such as `store.get`, on a key or, as one operation, on several keys."""
        keyed = {"key": key} if isinstance(key, str) else {"keys": key}
        self._telemetry(_wire.OPERATION_COMPLETE, {"name": name, **keyed, "duration_ns": duration_ns, "ok": ok}, at)

    def tool(
        self,
        name: str,
        duration_ns: int,
        *,
        job_id: str,
        id: str | None = None,  # noqa: A002
        parents: Sequence[str] = (),
        ok: bool = True,
        at: int | None = None,
    ) -> str:
        """Record a tool call of a job that ended, now or at `at`, and return its id, which later parents can name."""
        tool_id = self._next_id() if id is None else id
        fields = {"job_id": job_id, "id": tool_id, "name": name, "duration_ns": duration_ns, "ok": ok}
        self._telemetry(_wire.TOOL_COMPLETE, {**fields, "parents": _listed(parents)}, at)
        return tool_id

    def resource(
        self,
        *,
        interval_s: float,
        cpu_pct: Sequence[float],
        node: str | None = None,
        at: int | None = None,
        **values: Any,
    ) -> None:
        """Record a sample of the resources of a node.

        Args:
            interval_s: Time that the CPU figures cover.
            cpu_pct: Use of each core, 0 to 100.
            node: Name of the node; default: the name of this host.
            at: When the sample was taken, `time.monotonic_ns()`; default: now.
            values: Further keys of `resource.sample` in docs/protocol.md, such as `mem_percent` or `disk_read_bytes`.
        """
        cores = _listed(cpu_pct)
        fields = {"interval_s": interval_s, "cpu_count": len(cores), "cpu_pct": cores, **values}
        self._telemetry(_wire.RESOURCE_SAMPLE, fields, at, node)

    def _telemetry(self, event_type: str, fields: dict[str, Any], at: int | None, node: str | None = None) -> None:
        now = time.monotonic_ns()
        wall = time.time_ns()
        if isinstance(at, int):
            wall -= now - at
        when = now if at is None else at
        self._outbox.put(Telemetry(event_type, when, wall, node or sockets.gethostname(), fields))

    def _next_id(self) -> str:
        process = os.getpid()
        if process != self._id_process:
            self._id_prefix, self._id_process = secrets.token_hex(8), process
        return f"{self._id_prefix}{next(self._ids):016x}"

    # -- control ---------------------------------------------------------------------------------------------------

    @property
    def enabled(self) -> bool:
        """Whether anything is recorded: false for a `NullPublisher`."""
        return self._outbox is not _no_outbox

    @property
    def source_id(self) -> str:
        """The name of this process in the daemon's table of workers."""
        return self._outbox.source_id

    def wait_for_subscriber(self, timeout: float = 30) -> None:
        """Wait until a daemon has subscribed, for at most `timeout` seconds; records made before are queued.

        Raises:
            NoSubscriberError: none subscribed in time.
        """
        deadline = time.monotonic() + timeout
        while not self._subscribed(deadline, timeout):
            time.sleep(POLL_SECONDS)

    async def ready(self, timeout: float = 30) -> None:
        """Wait like `wait_for_subscriber` without blocking the event loop.

        Raises:
            NoSubscriberError: none subscribed in time.
        """
        deadline = time.monotonic() + timeout
        while not self._subscribed(deadline, timeout):
            await asyncio.sleep(POLL_SECONDS)

    def _subscribed(self, deadline: float, timeout: float) -> bool:
        if self._outbox.subscribers() > 0 or not self.enabled:
            return True
        if time.monotonic() >= deadline:
            raise NoSubscriberError(f"No daemon subscribed to {self._outbox.name} within {timeout:g} s. Is it running?")
        return False

    def stats(self) -> Stats:
        """Return the counts of records sent, queued, dropped and rejected."""
        return self._outbox.stats()

    def flush(self, timeout: float = 5) -> bool:
        """Wait until ZeroMQ has every record made so far; false after `timeout` seconds."""
        return self._outbox.flush(timeout)

    def close(self, timeout: float = 5) -> int:
        """Send what waits for at most `timeout` seconds and close. Later records are dropped and counted.

        Returns:
            The number of records left unsent: those still queued, and if a subscriber stopped reading, at most those that
            ZeroMQ held for it.
        """
        return self._outbox.close(timeout)

    async def aclose(self, timeout: float = 5) -> int:
        """Close like `close` without blocking the event loop."""
        return await asyncio.to_thread(self._outbox.close, timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()


def _unless_empty(labels: Labels) -> Labels:
    """Return the labels, None for an empty dict. What is no mapping goes on: the outbox rejects and counts it."""
    return None if isinstance(labels, dict) and not labels else labels


def _is_true(flag: object) -> bool:
    """Return whether the flag is true; false for an object without a truth value."""
    try:
        return bool(flag)
    except Exception:
        return False


def _listed(values: Sequence[Any]) -> list[Any]:
    """Return the values as a list; empty for what cannot be listed, which the daemon then rejects and counts."""
    try:
        return list(values)
    except Exception:  # A recording call never raises, whatever it is given.
        return []


class NullPublisher(Publisher):
    """A publisher that opens nothing and records nothing, for instrumented code that runs without a daemon."""

    def __init__(self, *_arguments: object, **_options: object) -> None:
        self._outbox = _no_outbox
        self._ids = itertools.count()
        self._id_prefix = ""
        self._id_process = -1


class _NoOutbox(Outbox):
    """Takes records and forgets them."""

    def __init__(self) -> None:
        self.source_id = ""
        self.name = ""

    def put(self, record: _wire.Record, *, ends_batch: bool = False, stream: Stream | None = None) -> None:
        pass

    def open_stream(self, sample_id: str, conversation: str, turn: int | None) -> Stream | None:
        return None

    def ignore(self) -> None:
        pass

    def stats(self) -> Stats:
        return Stats(0, 0, 0, 0, 0, 0, 0, 0)

    def subscribers(self) -> int:
        return 0

    def flush(self, timeout: float) -> bool:
        return True

    def close(self, timeout: float) -> int:
        return 0


_no_outbox = _NoOutbox()


def _disabled() -> bool:
    return os.environ.get(DISABLED_VARIABLE, "").strip().lower() in ("1", "true", "yes", "on")


def _open(
    endpoint: str | None,
    connect: bool,
    source: str | None,
    max_queue: int | str,
    curve_key: str | Path | None,
    curve_server_key: str | None,
) -> Outbox:
    text = endpoint or os.environ.get(ENDPOINT_VARIABLE)
    if not text:
        raise MetricsAggregatorError(f"Cannot open a publisher: give an endpoint, or set {ENDPOINT_VARIABLE}.")
    parsed = parse_endpoint(text, bind=not connect)
    return Outbox(parsed, lambda: EventSocket(parsed, curve_key, curve_server_key), source, parse_size(max_queue))
