"""Stand-in for the aggregator of MLCommons endpoints where that is not installed: writes the snapshot recorded from it.

STANDIN_SNAPSHOT names the snapshot to write at the end of the session, or at SIGTERM as interrupted; STANDIN_SEEN a file to write whether
a daemon of ours had subscribed when this process began.
"""
import argparse
import json
import os
import pathlib
import signal
import sys

import msgspec
import zmq

parser = argparse.ArgumentParser()
for name in ["socket-dir", "socket-name", "metrics-output-dir", "readiness-path"]:
    parser.add_argument("--" + name, required=True)
parser.add_argument("--readiness-id", type=int, default=0)
options, _ = parser.parse_known_args()
shadows = pathlib.Path(os.environ["STANDIN_SHADOWS"])
pathlib.Path(os.environ["STANDIN_SEEN"]).write_text(str(any(shadows.glob("*/.subscribed"))))


def write(state):
    snapshot = json.loads(pathlib.Path(os.environ["STANDIN_SNAPSHOT"]).read_text())
    snapshot["state"] = state
    (pathlib.Path(options.metrics_output_dir) / "final_snapshot.json").write_text(json.dumps(snapshot))
    sys.exit(0)


signal.signal(signal.SIGTERM, lambda *_: write("interrupted"))
context = zmq.Context()
events = context.socket(zmq.SUB)
events.subscribe(b"")
events.connect(f"ipc://{options.socket_dir}/{options.socket_name}")
ready = context.socket(zmq.PUSH)
ready.connect(f"ipc://{options.socket_dir}/{options.readiness_path}")
ready.send(msgspec.msgpack.encode(options.readiness_id))
while b"session.ended" not in events.recv():
    pass
write("complete")
