"""Reads snapshots like the typed subscribers of MLCommons endpoints: typed_snapshots.py ENDPOINT

Every frame is decoded twice: as the struct of five elements, and as the newer one whose sixth element is `steady_state`, a map with
required keys or nil. Then the extensions are placed at the sixth position, where this project had them until schema version 1: the newer
reader must reject that, otherwise this script proves nothing. Prints a line of JSON for the terminal snapshot.
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


class Older(msgspec.Struct, array_like=True):
    counter: int
    timestamp_ns: int
    state: str
    n_pending_tasks: int
    metrics: list[Counter | Series]


class SteadyState(msgspec.Struct):
    superpass_size: int
    n_super_passes: int
    n_post_warmup: int


class Newer(Older, array_like=True):
    steady_state: SteadyState | None = None


older, newer = msgspec.msgpack.Decoder(Older), msgspec.msgpack.Decoder(Newer)
context = zmq.Context()
socket = context.socket(zmq.SUB)
socket.setsockopt(zmq.SUBSCRIBE, b"MET\0")
monitor = socket.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED)
socket.connect(sys.argv[1])
if not monitor.poll(30_000):
    sys.exit("no daemon within 30 s")
print("connected", flush=True)
state = None
while state not in ("complete", "interrupted"):
    if not socket.poll(30_000):
        sys.exit("no snapshot within 30 s")
    payload = socket.recv()[40:]
    old, new = older.decode(payload), newer.decode(payload)
    assert new.steady_state is None, new.steady_state
    assert new.metrics == old.metrics and new.counter == old.counter
    elements = msgspec.msgpack.decode(payload)
    assert len(elements) == 7 and elements[5] is None and "run" in elements[6], [type(each) for each in elements]
    version_1 = msgspec.msgpack.encode(elements[:5] + elements[6:])
    assert older.decode(version_1).metrics == old.metrics
    try:
        newer.decode(version_1)
        sys.exit("the newer reader mistakes extensions for steady_state")
    except msgspec.ValidationError:
        pass
    with_theirs = elements[:5] + [{"superpass_size": 4096, "n_super_passes": 8, "n_post_warmup": 6}] + elements[6:]
    assert newer.decode(msgspec.msgpack.encode(with_theirs)).steady_state.superpass_size == 4096
    state = new.state
counters = {metric.name: metric.value for metric in new.metrics if isinstance(metric, Counter)}
print(json.dumps({
    "state": state,
    "schema_version": elements[6]["run"]["schema_version"],
    "super_pass_size": elements[6]["session"]["super_pass_size"],
    "interrupts": counters["session_interrupts"],
    "completed": counters["tracked_samples_completed"],
}), flush=True)
socket.disable_monitor()
monitor.close(linger=0)
socket.close(linger=0)
context.term()
