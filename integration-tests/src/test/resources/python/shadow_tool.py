"""Substitute for a command of MLCommons endpoints that replays recorded events: shadow_tool.py DIR CASE [SECONDS]

Starts the aggregator as the tool's launcher does (`sys.executable -m MODULE ARGS`), with the options the case was recorded with, waits
for its readiness, and publishes the frames of the case. The interpreter decides which aggregator that is: the tool's own where it is
installed, else the stand-in beside this file. With SECONDS it sends no end and terminates its aggregator, as the tool does on Ctrl-C.
"""
import json
import pathlib
import struct
import subprocess
import sys

import zmq

directory, case = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
interrupted = len(sys.argv) > 3
recorded = json.loads((case / "args.json").read_text())
context = zmq.Context()
ready = context.socket(zmq.PULL)
ready.bind(f"ipc://{directory}/svc_ready")
events = context.socket(zmq.XPUB)
events.sndhwm = 0
events.setsockopt(zmq.XPUB_VERBOSE, 1)
events.bind(f"ipc://{directory}/ev_pub")
output = directory / "report" / "metrics"
output.mkdir(parents=True)
words = ["--socket-dir", str(directory), "--socket-name", "ev_pub", "--metrics-socket", "metrics_pub"]
words += ["--metrics-output-dir", str(output), "--drain-timeout", str(recorded["drain_timeout"])]
words += ["--hdr-sig-figs", str(recorded["hdr_sig_figs"]), "--n-histogram-buckets", str(recorded["n_histogram_buckets"])]
words += ["--streaming"] if recorded["streaming"] else []
words += ["--early-stopping"] if recorded["early_stopping"] else []
if recorded["tokenizer"]:
    words += ["--tokenizer", str((case.parent / recorded["tokenizer"]).resolve()), "--tokenizer-workers", "1"]
service = subprocess.Popen(
    [sys.executable, "-m", "inference_endpoint.async_utils.services.metrics_aggregator", *words]
    + ["--readiness-path", "svc_ready", "--readiness-id", "0"]
)
if not ready.poll(60_000):
    service.kill()
    sys.exit("the aggregator was not ready within 60 s")
# Both subscriptions: a PUB drops what it sends to a subscriber that it has not heard of. The tool spends a second on its client.
for _ in range(2):
    if not events.poll(30_000):
        service.kill()
        sys.exit("fewer than two subscriptions within 30 s")
    events.recv()
data = (case / "frames.bin").read_bytes()
frames = []
at = 0
while at < len(data):
    (size,) = struct.unpack_from(">I", data, at)
    frames.append(data[at + 4 : at + 4 + size])
    at += 4 + size
for frame in frames[: len(frames) // 2] if interrupted else frames:
    events.send(frame)
if interrupted:
    service.terminate()
status = service.wait(120)
context.destroy(linger=30_000)
print(json.dumps({"status": status}))
sys.exit(7)
