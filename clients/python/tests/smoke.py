"""Uses an installed package that has no other packages beside its dependencies; run by ./check in a fresh environment."""

import importlib.metadata
import importlib.resources
import tempfile

import msgspec
import zmq

import metrics_aggregator
from metrics_aggregator import NullPublisher, Publisher

assert importlib.metadata.version("metrics-aggregator") == metrics_aggregator.__version__
assert "site-packages" in metrics_aggregator.__file__, metrics_aggregator.__file__
assert importlib.resources.files("metrics_aggregator").joinpath("py.typed").is_file()

with tempfile.TemporaryDirectory(prefix="ma.") as folder:
    address = f"ipc://{folder}/events"
    context = zmq.Context()
    subscriber = context.socket(zmq.SUB)
    subscriber.subscribe(b"")
    subscriber.connect(address)
    with Publisher(address) as publisher:
        publisher.wait_for_subscriber()
        with publisher.session(), publisher.sample(prompt="x") as sample:
            sample.token()
    types = []
    while len(types) < 7:
        assert subscriber.poll(10_000), types
        frame = subscriber.recv()
        payloads = msgspec.msgpack.decode(frame[40:], type=list[bytes]) if frame.startswith(b"batch\0") else [frame[40:]]
        types += [msgspec.msgpack.decode(payload)["event_type"] for payload in payloads]
    subscriber.close()
    context.term()
assert types[0] == "session.started", types
assert types[-1] == "session.ended", types
NullPublisher().sample().complete()
print("smoke test passed: metrics-aggregator", metrics_aggregator.__version__, types)
