"""Shared parts of the rows of the fault matrix: a daemon as a real process, a producer and a subscriber on real libzmq, and the report."""

import json
import os
import pathlib
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

import msgspec
import zmq

TOP = pathlib.Path(__file__).resolve().parents[2]
LAUNCHER = TOP / "metrics-aggregator"
GOLDEN = TOP / "quality" / "golden" / "endpoints"
SESSION_NS = 10**15
encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.decode


class Failed(AssertionError):
    """A row observed a violation of a guarantee."""


class Skipped(Exception):
    """A row cannot run on this machine; the message is the reason."""


def require(holds, what):
    if not holds:
        raise Failed(what)


def require_root():
    if os.geteuid() != 0:
        raise Skipped("needs root")


def require_tool(name):
    if shutil.which(name) is None:
        raise Skipped(f"needs {name}")


def until(condition, what, patience=30.0):
    """Waits for a true value of a condition and returns it; fails with the description `what`."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise Failed(f"not within {patience} s: {what}")


# ---------------------------------------------------------------- events


def frame(topic, payload):
    return topic.encode().ljust(40, b"\0") + payload


def record(event_type, timestamp, sample="", **more):
    event = {"event_type": event_type, "timestamp_ns": timestamp, "sample_uuid": sample, "data": None}
    event.update(more)
    return encode(event)


def single(event_type, timestamp, sample="", **more):
    return frame(event_type, record(event_type, timestamp, sample, **more))


def start_frames():
    return [
        single("session.started", SESSION_NS),
        single("session.start_performance_tracking", SESSION_NS),
    ]


def sample_records(number):
    """Returns the four records of a sample."""
    at = SESSION_NS + number * 1_000_000
    name = f"{number:032x}"
    return [
        record("sample.issued", at, name),
        record("sample.recv_first", at + 100_000, name),
        record("sample.recv_non_first", at + 200_000, name),
        record("sample.complete", at + 300_000, name),
    ]


def sample_batch(numbers):
    return frame("batch", encode([each for number in numbers for each in sample_records(number)]))


def end_frame(number=10**6):
    return single("session.ended", SESSION_NS + number * 1_000_000)


def golden_frames(case):
    data = (GOLDEN / case / "frames.bin").read_bytes()
    frames, at = [], 0
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        frames.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return frames


# ---------------------------------------------------------------- the daemon


class Daemon:
    """A daemon process that binds its input."""

    def __init__(self, folder, *more, tcp=False, env=None, wrapper=(), wait=True, name="out", output=None, stdout=None, stderr=None):
        self.folder = pathlib.Path(folder)
        self.output = self.folder / name if output is None else pathlib.Path(output)
        self.endpoint = f"tcp://127.0.0.1:{free_port()}" if tcp else f"ipc://{self.folder}/events"
        self.metrics = f"ipc://{self.folder}/metrics"
        self.log_path = self.folder / f"{name}.log"
        ready = self.output / ".ready"
        if ready.exists():
            ready.unlink()
        command = [*wrapper, str(LAUNCHER), "run", "--in", f"bind:{self.endpoint}", "--out", self.metrics]
        command += ["--output-dir", str(self.output), "--streaming", "--publish-interval", "50ms", *more]
        self.log = open(self.log_path, "ab")
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self.log if stdout is None else stdout,
            stderr=self.log if stderr is None else stderr,
            env={**os.environ, **(env or {})},
            # A shell that ignores SIGINT passes that on to its children.
            restore_signals=True,
        )
        if wait:
            self.await_ready()

    def await_ready(self, patience=60.0):
        until(
            lambda: (self.output / ".ready").exists() or self.process.poll() is not None, f"ready: {self.text()}", patience
        )
        require((self.output / ".ready").exists(), f"the daemon ended: {self.text()}")

    def text(self):
        """Returns its log and standard output; the middle of a long output, such as a snapshot, is omitted."""
        text = self.log_path.read_text(errors="replace")
        return text if len(text) <= 8000 else text[:4000] + "\n...\n" + text[-4000:]

    def signal(self, number):
        try:
            self.process.send_signal(number)
        except ProcessLookupError:
            pass

    def wait(self, patience=30.0):
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failed(f"did not end within {patience} s: {self.text()}") from None

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait()

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def final(self):
        return json.loads((self.output / "final_snapshot.json").read_bytes())

    def has_final(self):
        return (self.output / "final_snapshot.json").exists()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.kill()
        self.log.close()


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def counters(snapshot):
    return {each["name"]: each["value"] for each in snapshot["metrics"] if each["type"] == "counter"}


def require_balanced(snapshot):
    """Checks the conservation law: every received record is applied or set aside."""
    c = counters(snapshot)
    parts = ["records_applied", "records_malformed", "records_unknown", "events_duplicate", "events_orphan"]
    parts += ["events_late", "events_anonymous"]
    total = sum(c[part] for part in parts)
    require(c["records_received"] == total, f"{c['records_received']} records received, {total} accounted for")
    return c


# ---------------------------------------------------------------- a producer and a subscriber, on libzmq


class Producer:
    """A producer that connects, waits for the daemon's subscription, and sends without limit or loss."""

    def __init__(self, endpoint, context=None, wait=True, linger=30_000):
        self.own = context is None
        self.context = context or zmq.Context()
        self.socket = self.context.socket(zmq.XPUB)
        self.socket.setsockopt(zmq.SNDHWM, 0)
        self.socket.setsockopt(zmq.LINGER, linger)
        self.socket.setsockopt(zmq.RECONNECT_IVL, 50)
        self.socket.connect(endpoint)
        if wait:
            self.await_subscription()

    def await_subscription(self, patience=30_000):
        require(self.socket.poll(patience), "no subscriber connected")
        self.socket.recv()

    def send(self, *frames):
        for each in frames:
            self.socket.send(each)

    def close(self):
        self.socket.close()
        if self.own:
            self.context.term()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


class Subscriber:
    """A subscriber that decodes the daemon's snapshots and returns the newest on request."""

    def __init__(self, endpoint):
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.SUB)
        self.socket.setsockopt(zmq.SUBSCRIBE, b"")
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.setsockopt(zmq.RECONNECT_IVL, 20)
        self.socket.connect(endpoint)
        self.newest = None
        self.seen = 0

    def poll(self, milliseconds=0):
        if self.socket.poll(milliseconds):
            while True:
                try:
                    self.newest = decode(self.socket.recv(zmq.NOBLOCK)[40:])
                    self.seen += 1
                except zmq.Again:
                    break
        return self.newest

    def counter(self, name):
        snapshot = self.poll()
        if snapshot is None:
            return 0
        return next((each[2] for each in snapshot[4] if each[0] == "counter" and each[1] == name), 0)

    def close(self):
        self.socket.close()
        self.context.term()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


# ---------------------------------------------------------------- the rows


ROWS = []


def row(identity, what, root=False):
    """Registers a row of the matrix: a function of the size that returns its figures."""

    def register(function):
        ROWS.append((identity, what, function, root))
        return function

    return register


def workplace():
    return tempfile.TemporaryDirectory(prefix="faults-", dir="/tmp")


def shim():
    """Returns the preloaded library that makes system calls fail; compiled on first use."""
    require_tool("cc")
    library = TOP / ".ci" / "out" / "fail.so"
    source = TOP / ".ci" / "faults.d" / "fail.c"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        library.parent.mkdir(exist_ok=True)
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    return {"LD_PRELOAD": str(library)}


def seeded():
    seed = int(os.environ.get("FAULTS_SEED", random.SystemRandom().randrange(2**32)))
    return seed, random.Random(seed)
