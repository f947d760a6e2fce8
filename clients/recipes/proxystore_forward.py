"""Forwards the metrics of a ProxyStore Store to metrics-aggregator, one record per measurement.

    from proxystore_forward import forward

    store = Store("my-store", connector, metrics=True)
    forward(store, "ipc:///tmp/aggregator/events")     # where the daemon listens: run --in bind:ipc:///tmp/aggregator/events

Needs pyzmq and msgpack. The store's own metrics are unchanged. Values that ProxyStore (including 1.1.0) reports as milliseconds in
factory.call, factory.resolve and factory.polling_resolve are nanoseconds; the record states the correction (rule factory_ns_fix).
"""
from __future__ import annotations

import os
import socket as sockets
import threading
import time
from typing import Any

import msgpack
import zmq

TOPIC_BYTES = 40
FACTORY_NS = ("factory.call", "factory.resolve", "factory.polling_resolve")


class Forwarder:
    """Publishes records; thread-safe. If the daemon is missing or slow, records are dropped and the store is never blocked."""

    def __init__(self, endpoint: str, source: str | None = None, queue: int = 100_000) -> None:
        self._socket = zmq.Context.instance().socket(zmq.PUB)
        self._socket.setsockopt(zmq.SNDHWM, queue)
        self._socket.setsockopt(zmq.LINGER, 2000)
        self._socket.connect(endpoint)
        self._lock = threading.Lock()  # a socket must not be used by two threads at the same time
        self._seq = 0
        self._life = time.time_ns()  # tells this process from an earlier one with the same source
        self.source = source or f"{sockets.gethostname()}:{os.getpid()}"

    def send(self, event_type: str, name: str, key: Any, **fields: Any) -> None:
        record: dict[str, Any] = {
            "event_type": event_type,
            "timestamp_ns": time.monotonic_ns(),
            "wall_ns": time.time_ns(),
            "source_id": self.source,
            "node_id": sockets.gethostname(),
            "name": name,
            **_key(key),
            **fields,
        }
        with self._lock:
            record.update(seq=self._seq, life=self._life)
            self._seq += 1
            self._socket.send(event_type.encode().ljust(TOPIC_BYTES, b"\0") + msgpack.packb(record))

    def close(self) -> None:
        with self._lock:
            self._socket.close()


def _text(key: Any) -> str:
    # Connector keys are named tuples: their fields identify them, and are the same in every process.
    return "/".join(str(part) for part in key) if isinstance(key, tuple) else str(key)


def _key(key: Any) -> dict[str, Any]:
    if isinstance(key, tuple) and hasattr(key, "_fields"):
        return {"key": _text(key)}
    if isinstance(key, (list, tuple)):
        return {"keys": [_text(each) for each in key]}
    return {"key": _text(key)}


def forward(store: Any, endpoint: str, source: str | None = None) -> Forwarder:
    """Forwards every measurement that `store` records after this call.

    Raises:
        ValueError: if the store was created without metrics=True.
    """
    metrics = store.metrics
    if metrics is None:
        raise ValueError(f"store {store.name} keeps no metrics: create it with metrics=True")
    out = Forwarder(endpoint, source)
    add_time, add_counter, add_attribute = metrics.add_time, metrics.add_counter, metrics.add_attribute

    def time_too(name: str, key: Any, time_ms: float) -> None:
        add_time(name, key, time_ms)
        if name in FACTORY_NS:
            out.send("operation.complete", name, key, duration_ns=round(time_ms), rule="factory_ns_fix")
        else:
            out.send("operation.complete", name, key, duration_ns=round(time_ms * 1e6))

    def counter_too(name: str, key: Any, value: int) -> None:
        add_counter(name, key, value)
        out.send("operation.count", name, key, value=value)

    def attribute_too(name: str, key: Any, value: Any) -> None:
        add_attribute(name, key, value)
        scalar = value if isinstance(value, (bool, int, float, str)) else str(value)
        out.send("operation.attr", name, key, value=scalar)

    metrics.add_time, metrics.add_counter, metrics.add_attribute = time_too, counter_too, attribute_too
    return out
