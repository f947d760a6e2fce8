"""The minimum work of an aggregator in Python: receive (pyzmq), decode (msgspec), look up the sample, keep its times.

aggregator.py ENDPOINT HIGH_WATER_MARK
"""
import sys
import time

import msgspec
import zmq

decode = msgspec.msgpack.Decoder().decode
socket = zmq.Context().socket(zmq.SUB)
socket.set_hwm(int(sys.argv[2]))
socket.subscribe(b"")
socket.connect(sys.argv[1])
samples, latencies, first_tokens, gaps = {}, [], [], []
received = 0
while True:
    frame = socket.recv()
    payload = frame[40:]
    records = decode(payload) if frame.startswith(b"batch\0") else (payload,)
    for each in records:
        record = decode(each)
        received += 1
        kind, now, sample = record["event_type"], record["timestamp_ns"], record["sample_uuid"]
        if kind == "sample.issued":
            samples[sample] = [now, 0]
        elif kind == "sample.recv_first":
            row = samples[sample]
            first_tokens.append(now - row[0])
            row[1] = now
        elif kind == "sample.recv_non_first":
            row = samples[sample]
            gaps.append(now - row[1])
            row[1] = now
        elif kind == "sample.complete":
            latencies.append(now - samples.pop(sample)[0])
        elif kind == "session.ended":
            print("last", time.monotonic_ns())
            print("read", received, flush=True)
            sys.exit(0)
