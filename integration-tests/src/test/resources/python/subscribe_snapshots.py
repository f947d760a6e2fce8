"""Reads snapshots with a real libzmq SUB according to docs/protocol.md: subscribe_snapshots.py ENDPOINT bind|connect

Prints "connected" when the daemon has connected, then a line of JSON per snapshot with the fields of an older peer, without extensions. Ends after the terminal one.
"""
import json
import sys

import msgspec
import zmq


class Counter(msgspec.Struct, array_like=True, tag="counter"):
    name: str
    value: int


class Series(msgspec.Struct, array_like=True, tag="series"):
    name: str
    count: int
    total: int | float
    min: int | float
    max: int | float
    sum_sq: int | float
    percentiles: dict[str, float]
    histogram: list[tuple[tuple[float, float], int]]
    early_stopping_percentiles: dict[str, float | None] | None = None


class Snapshot(msgspec.Struct, array_like=True):
    counter: int
    timestamp_ns: int
    state: str
    n_pending_tasks: int
    metrics: list[Counter | Series]


endpoint, side = sys.argv[1:3]
context = zmq.Context()
socket = context.socket(zmq.SUB)
socket.setsockopt(zmq.SUBSCRIBE, b"MET\0")
monitor = socket.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED)
(socket.bind if side == "bind" else socket.connect)(endpoint)
if not monitor.poll(30_000):
    sys.exit("no daemon within 30 s")
print("connected", flush=True)
decoder = msgspec.msgpack.Decoder(Snapshot)
while True:
    if not socket.poll(30_000):
        sys.exit("no snapshot within 30 s")
    frame = socket.recv()
    assert frame[:40] == b"MET".ljust(40, b"\0"), frame[:40]
    assert not socket.getsockopt(zmq.RCVMORE)
    snapshot = decoder.decode(frame[40:])
    counters = {metric.name: metric.value for metric in snapshot.metrics if isinstance(metric, Counter)}
    series = {metric.name: metric.count for metric in snapshot.metrics if isinstance(metric, Series)}
    line = {
        "counter": snapshot.counter,
        "state": snapshot.state,
        "issued": counters["total_samples_issued"],
        "latencies": series["sample_latency_ns"],
    }
    print(json.dumps(line), flush=True)
    if snapshot.state in ("complete", "interrupted"):
        break
# Nothing may follow the terminal snapshot.
if socket.poll(300):
    sys.exit("something followed the terminal snapshot")
socket.disable_monitor()
monitor.close(linger=0)
socket.close(linger=0)
context.term()
