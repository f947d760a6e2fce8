"""Peers of the tests: a plain ZeroMQ subscriber, and the daemon of this checkout."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zmq

from metrics_aggregator import Daemon

from server import Server

pytest_plugins = ["pytester"]

CHECKOUT = Path(__file__).resolve().parents[3]
DAEMON = Path(os.environ.get("METRICS_AGGREGATOR", CHECKOUT / "metrics-aggregator"))
WAIT = 60.0


def await_true(condition: Callable[[], Any], what: str, timeout: float = WAIT) -> Any:
    """Wait for a condition and return its value."""
    deadline = time.monotonic() + timeout
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {timeout:g} s: {what}"
        time.sleep(0.002)
    return value


class Peer:
    """A subscriber that collects frames on a thread of its own, which can be told to stop reading."""

    def __init__(self, endpoint: str, *, bind: bool = False, rcvhwm: int = 0, topics: Sequence[str] = ()) -> None:
        self.frames: list[bytes] = []
        self._reading = threading.Event()
        self._reading.set()
        self._stop = False
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.SUB)
        self._socket.setsockopt(zmq.RCVHWM, rcvhwm)
        self._socket.setsockopt(zmq.RECONNECT_IVL, 20)
        self._socket.setsockopt(zmq.SUBSCRIBE, b"")
        for topic in topics:
            self._socket.setsockopt(zmq.SUBSCRIBE, topic.encode())
        if bind:
            self._socket.bind(endpoint)
        else:
            self._socket.connect(endpoint)
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        while not self._stop:
            self._reading.wait()
            if self._socket.poll(5):
                self.frames.append(self._socket.recv())
        self._socket.close(linger=0)
        self._context.term()

    def pause(self) -> None:
        self._reading.clear()

    def resume(self) -> None:
        self._reading.set()

    def close(self) -> None:
        self._stop = True
        self._reading.set()
        self._thread.join()

    @property
    def topics(self) -> list[str]:
        return [frame[:40].rstrip(b"\0").decode() for frame in self.frames]

    @property
    def records(self) -> list[dict[str, Any]]:
        records: list[dict[str, Any]] = []
        for frame in list(self.frames):
            assert len(frame) > 40
            if frame[:40] == b"batch".ljust(40, b"\0"):
                elements = msgspec.msgpack.decode(frame[40:], type=list[bytes])
                assert len(elements) > 1, "a single record travels under its own topic"
                records += [msgspec.msgpack.decode(each) for each in elements]
            else:
                record = msgspec.msgpack.decode(frame[40:])
                assert frame[:40].rstrip(b"\0").decode() == record["event_type"]
                records.append(record)
        return records

    def await_records(self, count: int) -> list[dict[str, Any]]:
        def enough() -> bool:
            return sum(int.from_bytes(f[41:43], "big") if f.startswith(b"batch\0") else 1 for f in list(self.frames)) >= count

        await_true(enough, f"{count} records; have {len(self.frames)} frames")
        return self.records

    def types(self, count: int) -> list[str]:
        return [record["event_type"] for record in self.await_records(count)]


class DaemonProcess:
    """`metrics-aggregator run` of this checkout."""

    def __init__(self, folder: Path, *options: str, events: str | None = None) -> None:
        self.folder = folder
        self.events = events or f"ipc://{folder}/events"
        self.metrics = f"ipc://{folder}/metrics"
        self.output = folder / "out"
        environment = {**os.environ, "METRICS_AGGREGATOR_NO_BUILD": os.environ.get("METRICS_AGGREGATOR_NO_BUILD", "1")}
        self._log = (folder / "daemon.log").open("w+b")
        self.process = subprocess.Popen(
            [DAEMON, "run", "--in", self.events, "--out", self.metrics, "--output-dir", self.output, *options],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env=environment,
        )

    @property
    def log(self) -> str:
        return (self.folder / "daemon.log").read_text()

    def await_exit(self) -> int:
        try:
            return self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            pytest.fail(f"the daemon did not exit: {self.log}")

    def final(self) -> dict[str, Any]:
        """Wait for the end of the run and return final_snapshot.json, its metrics by name."""
        assert self.await_exit() == 0, self.log
        tree: dict[str, Any] = json.loads((self.output / "final_snapshot.json").read_text())
        tree["by_name"] = {metric["name"]: metric for metric in tree["metrics"]}
        return tree

    def describe(self) -> str:
        """Its output and what its threads do, to explain a test that failed."""
        status = self.process.poll()
        if status is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(signal.SIGQUIT)
            deadline = time.monotonic() + 5
            while "class space" not in self.log and time.monotonic() < deadline:
                time.sleep(0.05)
        files = sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))
        sockets = [line for line in Path("/proc/net/unix").read_text().splitlines() if str(self.folder) in line]
        return "\n".join([f"daemon pid={self.process.pid} exit status={status} files={files}", *sockets, self.log])

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
        self._log.close()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short folder, because paths of sockets have at most 106 bytes, that only its user can enter."""
    path = Path(tempfile.mkdtemp(prefix="ma."))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def endpoint(folder: Path) -> str:
    return f"ipc://{folder}/events"


@pytest.fixture
def peers() -> Iterator[Callable[..., Peer]]:
    made: list[Peer] = []

    def make(endpoint: str, **options: Any) -> Peer:
        made.append(Peer(endpoint, **options))
        return made[-1]

    yield make
    for peer in made:
        peer.close()


_failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Notes for the fixtures that a test failed."""
    report = yield
    item.stash[_failed] = item.stash.get(_failed, False) or report.failed
    return report


@pytest.fixture
def daemons(request: pytest.FixtureRequest, folder: Path) -> Iterator[Callable[..., DaemonProcess]]:
    """Starts daemons; each ends with the test, and is described if the test failed."""
    if not DAEMON.exists():
        pytest.skip(f"no daemon at {DAEMON}; set METRICS_AGGREGATOR to the launcher")
    made: list[DaemonProcess] = []

    def make(*options: str, events: str | None = None) -> DaemonProcess:
        made.append(DaemonProcess(folder, *options, events=events))
        return made[-1]

    yield make
    for daemon in made:
        if request.node.stash.get(_failed, False):
            print(daemon.describe())
        daemon.close()


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("METRICS_AGGREGATOR_ENDPOINT", raising=False)
    monkeypatch.delenv("METRICS_AGGREGATOR_DISABLED", raising=False)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


#: Times to first token and latencies of the samples of `finished`, in milliseconds.
TTFT_MS = [20 + (number * 7) % 101 for number in range(700)]
LATENCY_MS = [each + 50 for each in TTFT_MS]
FAILED = 7


@pytest.fixture(scope="session")
def program() -> Iterator[Path]:
    """The program of this checkout, where the package looks for it."""
    if not DAEMON.exists():
        pytest.skip(f"no daemon at {DAEMON}; set METRICS_AGGREGATOR to the launcher")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("METRICS_AGGREGATOR", str(DAEMON))
        patch.setenv("METRICS_AGGREGATOR_NO_BUILD", "1")
        yield DAEMON


@pytest.fixture(scope="session")
def finished(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a run of 700 samples with known times over seven seconds, recorded at once; the last seven failed."""
    output = tmp_path_factory.mktemp("finished")
    with Daemon("--streaming", output=output) as daemon:
        with daemon.session() as publisher:
            begin = time.monotonic_ns()
            for number, (ttft, latency) in enumerate(zip(TTFT_MS, LATENCY_MS)):
                issued = begin + number * 10_000_000
                sample = publisher.sample(at=issued, labels={"model": "<b>&m"})
                sample.token(issued + ttft * 1_000_000)
                if number < len(TTFT_MS) - FAILED:
                    sample.complete("yes", at=issued + latency * 1_000_000)
                else:
                    sample.error("<script>Timeout", "no answer", at=issued + latency * 1_000_000)
        daemon.run(valid=False)
    return output


class SyntheticServer:
    """`metrics-aggregator serve-synthetic` of this checkout."""

    def __init__(self, *options: str) -> None:
        environment = {**os.environ, "METRICS_AGGREGATOR_NO_BUILD": "1"}
        command = [DAEMON, "serve-synthetic", "--listen", "127.0.0.1:0", "--ttft", "20ms", "--chunk-interval", "2ms", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://[\w.:]+", line)
        assert found, line
        self.url = found.group()

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="session")
def synthetic() -> Iterator[SyntheticServer]:
    """A server without a model: 5 tokens of reasoning, then 15 of the answer, one token a chunk, half of the prompt cached."""
    if not DAEMON.exists():
        pytest.skip(f"no daemon at {DAEMON}; set METRICS_AGGREGATOR to the launcher")
    made = SyntheticServer("--tokens", "20", "--reasoning-tokens", "5", "--cached-share", "0.5", "--early-role")
    yield made
    made.close()
