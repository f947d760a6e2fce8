"""Publishes events until it is killed, to test interruption of the daemon: flood.py ENDPOINT COUNT

Binds, waits for a subscriber, sends session.started and tracking, then COUNT samples in batches of 1000, prints "queued" when
libzmq has queued them all, and waits to be killed.
"""
import sys

import msgspec
import zmq

endpoint, count = sys.argv[1], int(sys.argv[2])
encode = msgspec.msgpack.Encoder().encode


def frame(topic, payload):
    return topic.encode().ljust(40, b"\0") + payload


def record(event_type, timestamp, sample=""):
    return encode(
        {
            "event_type": event_type,
            "timestamp_ns": timestamp,
            "sample_uuid": sample,
            "conversation_id": "",
            "turn": None,
            "data": None,
        }
    )


context = zmq.Context()
socket = context.socket(zmq.XPUB)
socket.setsockopt(zmq.SNDHWM, 0)
socket.bind(endpoint)
if not socket.poll(30_000):
    sys.exit("nobody subscribed")
socket.recv()
start = 10**15
socket.send(frame("session.started", record("session.started", start)))
socket.send(frame("session.start_performance_tracking", record("session.start_performance_tracking", start)))
for base in range(0, count, 1000):
    batch = [record("sample.issued", start + base + i, f"{base + i:032x}") for i in range(min(1000, count - base))]
    socket.send(frame("batch", encode(batch)))
print("queued", flush=True)
sys.stdin.read()
socket.close(linger=0)
context.term()
