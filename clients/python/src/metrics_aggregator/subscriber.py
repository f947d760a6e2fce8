"""Receives the snapshots of a run."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import zmq

from ._endpoint import parse_endpoint
from ._socket import terminate
from ._wire import SNAPSHOT, TOPIC_BYTES
from .errors import MetricsAggregatorError
from .snapshot import SnapshotView

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from types import TracebackType

    from typing_extensions import Self

__all__ = ["Subscriber"]

# Snapshots that wait while the program is busy; the daemon drops further ones.
_RECEIVE_QUEUE = 64


class Subscriber:
    """Receives snapshots from a daemon's output endpoint.

        with Subscriber("ipc:///tmp/bench/metrics") as snapshots:
            for snapshot in snapshots:                       # ends after the final one
                print(snapshot.state, snapshot.series("ttft_ns").percentile(99) / 1e6)

    `async for` works as well. The daemon may start later. Use a subscriber from one thread, and either as an iterator or as an
    asynchronous one.

    Args:
        endpoint: `ipc://PATH` or `tcp://HOST:PORT`; `bind:` before it binds.
        timeout: Seconds to wait for each snapshot while iterating; None waits without limit.

    Attributes:
        missed: Snapshots that did not arrive, by the gaps in their numbers.
        malformed: Frames that are not snapshots.

    Raises:
        MetricsAggregatorError: the endpoint cannot be opened.
    """

    def __init__(self, endpoint: str, *, timeout: float | None = None) -> None:
        parsed = parse_endpoint(endpoint, bind=False)
        self.missed = 0
        self.malformed = 0
        self._timeout = timeout
        self._last: SnapshotView | None = None
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.SUB)
        try:
            self._socket.setsockopt(zmq.RCVHWM, _RECEIVE_QUEUE)
            self._socket.setsockopt(zmq.LINGER, 0)
            # No growing delays: a daemon stays for 0.4 s after a short run, so that waiting subscribers do not miss it.
            self._socket.setsockopt(zmq.RECONNECT_IVL, 100)
            self._socket.setsockopt(zmq.SUBSCRIBE, SNAPSHOT)
            if parsed.bind:
                self._socket.bind(parsed.address)
            else:
                self._socket.connect(parsed.address)
        except zmq.ZMQError as e:
            self.close()
            raise MetricsAggregatorError(f"Cannot subscribe to {parsed}: {e}.") from e

    @property
    def last(self) -> SnapshotView | None:
        """The snapshot received last; None before the first."""
        return self._last

    def receive(self, timeout: float | None = None) -> SnapshotView:
        """Return the next snapshot.

        Raises:
            TimeoutError: none arrived within `timeout` seconds; None waits without limit.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            left = None if deadline is None else max(0, int((deadline - time.monotonic()) * 1000))
            if not self._socket.poll(left):
                raise TimeoutError(f"no snapshot within {timeout} s")
            snapshot = self._read(self._socket.recv())
            if snapshot is not None:
                return snapshot

    async def areceive(self, timeout: float | None = None) -> SnapshotView:
        """Return the next snapshot like `receive`, without blocking the event loop."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            try:
                await asyncio.wait_for(self._readable(), None if deadline is None else deadline - time.monotonic())
            except asyncio.TimeoutError:
                raise TimeoutError(f"no snapshot within {timeout} s") from None
            snapshot = self._read(self._socket.recv())
            if snapshot is not None:
                return snapshot

    async def _readable(self) -> None:
        """Wait for a frame. ZeroMQ's descriptor announces a change; only the socket's events say which."""
        loop = asyncio.get_running_loop()
        descriptor: int = self._socket.FD
        changed = asyncio.Event()
        loop.add_reader(descriptor, changed.set)
        try:
            while not self._socket.poll(0):
                await changed.wait()
                changed.clear()
        finally:
            loop.remove_reader(descriptor)

    def _read(self, frame: bytes) -> SnapshotView | None:
        try:
            snapshot = SnapshotView.decode(frame[TOPIC_BYTES:])
        except MetricsAggregatorError:
            self.malformed += 1
            return None
        if self._last is not None and snapshot.number > self._last.number:
            self.missed += snapshot.number - self._last.number - 1
        self._last = snapshot
        return snapshot

    def final(self, timeout: float | None = None) -> SnapshotView:
        """Wait for the end of the run and return its last snapshot.

        Raises:
            TimeoutError: the run did not end within `timeout` seconds; None waits without limit.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._last is None or not self._last.final:
            self.receive(None if deadline is None else deadline - time.monotonic())
        return self._last

    def __iter__(self) -> Iterator[SnapshotView]:
        while self._last is None or not self._last.final:
            yield self.receive(self._timeout)

    async def __aiter__(self) -> AsyncIterator[SnapshotView]:
        while self._last is None or not self._last.final:
            yield await self.areceive(self._timeout)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close(linger=0)
        terminate(self._context)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
