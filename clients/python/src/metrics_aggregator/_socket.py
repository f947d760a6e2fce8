"""The XPUB socket of a publisher. One thread at a time may call it: the outbox does so with its lock held.

It never waits for a peer, except in `close`.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

import zmq

from ._endpoint import Endpoint, read_curve_key, require_free
from ._wire import BATCH_TOPIC, CHUNKS
from .errors import MetricsAggregatorError

if TYPE_CHECKING:
    from pathlib import Path

    from ._batch import Frame

# Frames that libzmq holds for each subscriber. Few, because libzmq loses them when the subscriber's connection breaks;
# further ones wait in the outbox, which keeps them.
HIGH_WATER_MARK = 64


class EventSocket:
    """Sends frames while a subscriber has room, and knows how many subscribers there are."""

    def __init__(self, endpoint: Endpoint, curve_key: str | Path | None = None, curve_server_key: str | None = None) -> None:
        require_free(endpoint)
        self._endpoint = endpoint
        self._subscriptions = 0
        self._chunk_subscriptions = 0
        self._recent: deque[int] = deque(maxlen=HIGH_WATER_MARK)
        self._context = zmq.Context()
        socket = self._socket = self._context.socket(zmq.XPUB)
        try:
            # With NODROP, send reports a full pipe as zmq.Again; without it, libzmq drops in silence.
            socket.setsockopt(zmq.XPUB_NODROP, 1)
            # With VERBOSER, every subscription and its end arrive, not only the first and the last of a topic.
            socket.setsockopt(zmq.XPUB_VERBOSER, 1)
            socket.setsockopt(zmq.SNDHWM, HIGH_WATER_MARK)
            socket.setsockopt(zmq.LINGER, 0)
            if curve_key is not None:
                self._use_curve(curve_key, curve_server_key)
            if endpoint.bind:
                socket.bind(endpoint.address)
            else:
                socket.connect(endpoint.address)
        except zmq.ZMQError as e:
            self.close(0)
            verb = "bind" if endpoint.bind else "connect"
            hint = ": create its directory first, with mode 700" if endpoint.address.startswith("ipc:") else ""
            raise MetricsAggregatorError(f"Cannot {verb} {endpoint.address}: {e}{hint if endpoint.bind else ''}.") from e
        except MetricsAggregatorError:
            self.close(0)
            raise

    def _use_curve(self, curve_key: str | Path, server_key: str | None) -> None:
        if self._endpoint.bind or not self._endpoint.address.startswith("tcp:") or server_key is None:
            raise MetricsAggregatorError(
                "Cannot use CURVE: it needs a tcp endpoint, connect=True and curve_server_key, the daemon's public key."
            )
        public, secret = read_curve_key(curve_key)
        self._socket.setsockopt(zmq.CURVE_PUBLICKEY, public)
        self._socket.setsockopt(zmq.CURVE_SECRETKEY, secret)
        self._socket.setsockopt(zmq.CURVE_SERVERKEY, server_key.encode())

    def subscribers(self) -> int:
        """Return how many peers subscribed to the topic of batches, after reading what arrived since the last call."""
        while True:
            try:
                message = self._socket.recv(zmq.NOBLOCK)
            except zmq.ZMQError:
                break
            # Topics are matched by prefix. Who does not receive batches would miss most records, so is not counted.
            change = 1 if message and message[0] == 1 else -1
            if message and BATCH_TOPIC.startswith(message[1:]):
                self._subscriptions = max(0, self._subscriptions + change)
            elif message[1:] == CHUNKS.encode():
                self._chunk_subscriptions = max(0, self._chunk_subscriptions + change)
        # A connecting socket has one peer, and keeps its subscription when it reconnects and subscribes again.
        return self._subscriptions if self._endpoint.bind else min(1, self._subscriptions)

    def takes_chunks(self) -> bool:
        """Return whether every subscriber reads frames of chunks, as of the last call of `subscribers`."""
        return 0 < self._subscriptions <= self._chunk_subscriptions

    def send(self, frame: Frame) -> bool:
        """Hand a frame to libzmq; false if a subscriber has no room for it."""
        try:
            self._socket.send(frame.data, zmq.NOBLOCK)
        except zmq.ZMQError:
            return False
        self._recent.append(frame.records)
        return True

    def close(self, linger_seconds: float) -> int:
        """Wait until the operating system has what libzmq holds, then close.

        Returns:
            0, or if that took too long, an upper bound of the number of records that libzmq held and lost.
        """
        linger = max(0, int(linger_seconds * 1000))
        started = time.monotonic()
        self._socket.close(linger=linger)
        terminate(self._context)
        in_time = (time.monotonic() - started) * 1000 < linger or not self._recent
        return 0 if in_time else sum(self._recent)


def terminate(context: zmq.Context[zmq.Socket[bytes]]) -> None:
    """Wait for the linger of the context's sockets, under gevent without stopping the other greenlets."""
    from ._gevent import off_the_hub

    off_the_hub(context.term)
