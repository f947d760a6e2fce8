"""Substitute for the command of MLCommons endpoints, which no package index has: mlcommons_tool.py DIR end|term|other.

Starts its metrics aggregator like the tool's own ServiceLauncher (`sys.executable -m MODULE ARGS`, SIGINT ignored while it starts,
a PULL for readiness, no option for another program), runs ten samples, and prints what it saw as one line of JSON. With `term` it ends
its services like the tool's terminate_all; with `other` it starts another module, which must not be replaced.
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

directory, how = sys.argv[1:]
encode = msgspec.msgpack.Encoder().encode
if how == "other":
    subprocess.run([sys.executable, "-m", "json.tool", "--help"], check=True, stdout=subprocess.DEVNULL)
    print(json.dumps({"hidden_sitecustomize": os.environ.get("SEEN_SITECUSTOMIZE")}))
    sys.exit(3)

context = zmq.Context()
ready = context.socket(zmq.PULL)
ready.bind(f"ipc://{directory}/svc_ready")
events = context.socket(zmq.XPUB)
events.sndhwm = 0
events.bind(f"ipc://{directory}/ev_pub")
output = os.path.join(directory, "report", "metrics")
os.makedirs(output)
previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
service = subprocess.Popen(
    [sys.executable, "-m", "inference_endpoint.async_utils.services.metrics_aggregator"]
    + ["--socket-dir", directory, "--socket-name", "ev_pub", "--metrics-socket", "metrics_pub", "--metrics-output-dir", output]
    + ["--streaming", "--drain-timeout", "60.0", "--tokenizer-workers", "1", "--readiness-path", "svc_ready", "--readiness-id", "0"]
)
signal.signal(signal.SIGINT, previous)
if not ready.poll(30_000):
    service.kill()
    sys.exit("the service was not ready within 30 s")
# The tool binds a PUB and spends a second on its HTTP client before it sends; this script binds an XPUB and waits for the subscription.
if not events.poll(30_000):
    sys.exit("no subscription within 30 s")
events.recv()


def send(event_type, sample="", **more):
    record = {"event_type": event_type, "timestamp_ns": time.monotonic_ns(), "sample_uuid": sample, **more}
    events.send(event_type.encode().ljust(40, b"\0") + encode(record))


send("session.started")
send("session.start_performance_tracking")
for _ in range(10):
    sample = uuid.uuid4().hex
    send("sample.issued", sample)
    send("sample.recv_first", sample)
    send("sample.complete", sample)
if how == "term":
    service.terminate()
else:
    send("session.stop_performance_tracking")
    send("session.ended")
status = service.wait(60)
with open(os.path.join(output, "final_snapshot.json")) as file:
    snapshot = json.load(file)
completed = next(m["value"] for m in snapshot["metrics"] if m["name"] == "tracked_samples_completed")
print(json.dumps({"status": status, "state": snapshot["state"], "completed": completed, "ours": "run" in snapshot}))
sys.exit(5)
