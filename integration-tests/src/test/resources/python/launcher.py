"""Drives the daemon like a benchmark's launcher drives its aggregator: launcher.py DIR end|drain|term|late COMMAND...

Binds the events' PUB and the PULL for readiness, starts COMMAND with the flags of MLCommons endpoints, waits for its readiness,
streams samples with text, follows the snapshots, and ends the run: by session.ended (end), the same with an almost zero drain timeout
(drain), or by SIGTERM and, 5 s later, SIGKILL: during the samples (term) or during the drain (late). Prints what it saw as one line of JSON.
"""
import json
import os
import signal
import subprocess
import sys
import time
import uuid

import msgspec
import zmq

directory, how, *command = sys.argv[1:]
encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder().decode
context = zmq.Context()
ready = context.socket(zmq.PULL)
ready.bind(f"ipc://{directory}/ready")
events = context.socket(zmq.PUB)
events.sndhwm = 0
events.bind(f"ipc://{directory}/events")
snapshots = context.socket(zmq.SUB)
snapshots.subscribe(b"")
output = f"{directory}/out"
daemon = subprocess.Popen(
    command
    + ["--socket-dir", directory, "--socket-name", "events", "--metrics-socket", "metrics"]
    + ["--metrics-output-dir", output, "--publish-interval", "0.05", "--hdr-sig-figs", "3", "--n-histogram-buckets", "30"]
    + ["--streaming", "--readiness-path", "ready", "--readiness-id", "7", "--early-stopping", "--tokenizer-workers", "1"]
    + ["--drain-timeout", "0" if how == "drain" else "none"]
)
if not ready.poll(30_000):
    daemon.kill()
    sys.exit("not ready within 30 s")
identity = decode(ready.recv())
assert os.path.exists(f"{output}/.ready")
snapshots.connect(f"ipc://{directory}/metrics")


def record(event_type, sample="", **more):
    return {
        "event_type": event_type,
        "timestamp_ns": time.monotonic_ns(),
        "sample_uuid": sample,
        "conversation_id": "",
        "turn": None,
        "data": None,
        **more,
    }


def send(event):
    events.send(event["event_type"].encode().ljust(40, b"\0") + encode(event))


send(record("session.started"))
send(record("session.start_performance_tracking"))
long = how in ("drain", "late")
count = 20_000 if long else 700
for start in range(0, count, 250):
    batch = []
    for _ in range(250 if start + 250 <= count else count - start):
        sample = uuid.uuid4().hex
        answer = ["first", " second third " * (50 if long else 1)]
        batch.append(record("sample.issued", sample, data=["PromptData", "a prompt"]))
        batch.append(record("sample.recv_first", sample))
        batch.append(record("sample.complete", sample, data=["TextModelOutput", answer], finish_reason="stop"))
    events.send(b"batch".ljust(40, b"\0") + encode([encode(each) for each in batch]))
if how != "term":
    send(record("session.stop_performance_tracking"))
    send(record("session.ended"))
states = []
while not states or states[-1] not in ("complete", "interrupted"):
    if not snapshots.poll(30_000):
        daemon.kill()
        sys.exit(f"no snapshot within 30 s after {states[-3:]}")
    snapshot = decode(snapshots.recv()[40:])
    if not states or states[-1] != snapshot[2]:
        states.append(snapshot[2])
    issued = {metric[1]: metric[2] for metric in snapshot[4]}["total_samples_issued"]
    if (how == "term" and issued == count) or (how == "late" and snapshot[2] == "draining"):
        daemon.send_signal(signal.SIGTERM)  # A repeated SIGTERM has no effect.
try:
    status = daemon.wait(5)
except subprocess.TimeoutExpired:
    daemon.kill()
    sys.exit("had to be killed")
with open(f"{output}/final_snapshot.json") as file:
    final = json.load(file)
series = {metric["name"]: metric for metric in final["metrics"] if metric["type"] == "series"}
print(
    json.dumps(
        {
            "identity": identity,
            "status": status,
            "states": states,
            "state": final["state"],
            "pending": final["n_pending_tasks"],
            "samples": series["sample_latency_ns"]["count"],
            "osl": series["osl"]["count"],
            "tpot": series["tpot_ns"]["count"],
            "p99_bound": series["sample_latency_ns"].get("early_stopping_percentiles", {}).get("99.0"),
        }
    )
)
