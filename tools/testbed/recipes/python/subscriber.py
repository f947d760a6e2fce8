"""Subscriber in Python: pip install pyzmq msgspec. Prints each snapshot of one case of check-subscriber as a line of tagged JSON."""

import json
import os

import msgspec
import zmq

TOPIC = b"MET".ljust(40, b"\0")
FIELDS = ("count", "total", "min", "max", "sum_sq", "percentiles", "histogram", "early_stopping_percentiles")


def tagged(value):
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return {"$int": str(value)}
    if isinstance(value, float):
        return {"$float": repr(value)}
    if isinstance(value, bytes):
        return {"$bin": value.hex()}
    if isinstance(value, list):
        return [tagged(each) for each in value]
    return {str(key): tagged(each) for key, each in value.items()}


def readable(snapshot):
    """The first five elements by name. Elements after them are additions, which a reader may skip."""
    counter, timestamp_ns, state, n_pending_tasks, metrics, *_ = snapshot
    by_name = {}
    for kind, name, *rest in metrics:
        by_name[name] = rest[0] if kind == "counter" else dict(zip(FIELDS, rest))
    return {
        "counter": counter,
        "timestamp_ns": timestamp_ns,
        "state": state,
        "n_pending_tasks": n_pending_tasks,
        "metrics": by_name,
    }


def main():
    context = zmq.Context()
    socket = context.socket(zmq.SUB)
    socket.subscribe(b"")
    socket.connect(os.environ["MA_ENDPOINT"])
    state = ""
    while state not in ("complete", "interrupted"):
        frame = socket.recv()
        if frame[:40] != TOPIC:
            continue
        try:
            snapshot = readable(msgspec.msgpack.decode(frame[40:]))
        except (msgspec.DecodeError, ValueError, TypeError):
            continue  # Malformed: skip it and wait for the next.
        state = snapshot["state"]
        print(json.dumps(tagged(snapshot)), flush=True)


main()
