"""Starts the program as the daemon of one run, for tests and notebooks."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ._program import find_program
from .errors import MetricsAggregatorError, NoSubscriberError
from .publisher import Publisher
from .run import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from typing_extensions import Self

    from .run import Run

__all__ = ["Daemon"]


class Daemon:
    """A daemon of one run: `metrics-aggregator run` on sockets of its own, with a journal. Close it, or use it in a `with` block.

    >>> with Daemon("--streaming") as daemon:
    ...     with daemon.session() as publisher:
    ...         with publisher.sample(prompt="What is a sidecar?") as sample:
    ...             sample.token()
    ...             sample.complete("A process beside another.", finish_reason="stop")
    ...     run = daemon.run()
    >>> run.counter("tracked_samples_completed")
    1

    Attributes:
        endpoint: Where it receives records. The daemon binds, so any number of processes publish to it, each with
            `Publisher(daemon.endpoint)` or with this in METRICS_AGGREGATOR_ENDPOINT.
        metrics: Where it publishes snapshots, for `Subscriber`.
        output: Directory of `final_snapshot.json` and of the journal, in `journal`.

    Args:
        options: More options of `metrics-aggregator run`.
        output: The directory, created if missing; default: a temporary one, which `close` removes.

    Raises:
        ProgramNotFoundError: the program is not installed.
        MetricsAggregatorError: it did not start; the message has the end of its log.
    """

    def __init__(self, *options: str, output: str | Path | None = None) -> None:
        program = find_program()
        # Short, because the path of a socket has at most 106 bytes; only this user can enter it.
        self._folder = Path(tempfile.mkdtemp(prefix="ma."))
        try:
            self.endpoint = f"connect:ipc://{self._folder}/events"
            self.metrics = f"ipc://{self._folder}/metrics"
            self.output = Path(self._folder, "out") if output is None else Path(output).absolute()
            self.output.mkdir(parents=True, exist_ok=True)
            sockets = ["--in", f"bind:ipc://{self._folder}/events", "--out", self.metrics]
            files = ["--output-dir", str(self.output), "--journal", str(self.output / "journal")]
            self._log = self._folder / "daemon.log"
            with self._log.open("wb") as log:
                self._process = subprocess.Popen(
                    [program.path, "run", *sockets, *files, *options],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=program.environment,
                )
        except OSError as e:
            shutil.rmtree(self._folder)
            raise MetricsAggregatorError(f"Cannot start the daemon: {e}") from e

    @contextmanager
    def session(self, *, timeout: float = 60) -> Iterator[Publisher]:
        """Publish the run: yield a publisher in a session that begins once the daemon is ready and ends with the block.

        All samples of the block are tracked. Other processes can publish, too; they close their publishers before the block
        ends. For a warm-up use `Publisher(daemon.endpoint)` and `Publisher.session(tracking=False)`.

        Raises:
            MetricsAggregatorError: the daemon ended, or was not ready within `timeout` seconds.
        """
        with Publisher(self.endpoint) as publisher:
            deadline = time.monotonic() + timeout
            self._await(lambda: (self.output / ".ready").exists(), deadline, f"The daemon was not ready within {timeout:g} s")
            self._await(lambda: _is_subscribed(publisher), deadline, f"The daemon did not subscribe within {timeout:g} s")
            with publisher.session():
                yield publisher
            publisher.flush(timeout)

    def run(self, *, timeout: float = 60, valid: bool = True) -> Run:
        """Wait for the daemon to end and return its run.

        Args:
            timeout: Seconds to wait.
            valid: Require a verdict that is not INVALID.

        Raises:
            InvalidRunError: the run is invalid; the message has the reasons.
            MetricsAggregatorError: the daemon did not end within the timeout, or ended with an error and the end of its log.
        """
        try:
            status = self._process.wait(timeout)
        except subprocess.TimeoutExpired as e:
            raise MetricsAggregatorError(
                f"The daemon did not end within {timeout:g} s: it ends after the session of a publisher, see Daemon.session. "
                f"{self._tail()}"
            ) from e
        if status:
            raise MetricsAggregatorError(f"The daemon ended with status {status}: {self._tail()}")
        run = load(self.output)
        return run.require_valid() if valid else run

    def close(self) -> None:
        """Stop the daemon if it still runs, which ends its run as interrupted, and remove temporary files. Idempotent."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _await(self, condition: Callable[[], bool], deadline: float, problem: str) -> None:
        while not condition():
            if (status := self._process.poll()) is not None:
                raise MetricsAggregatorError(f"The daemon ended with status {status} before its run began: {self._tail()}")
            if time.monotonic() > deadline:
                raise MetricsAggregatorError(f"{problem}: {self._tail()}")
            time.sleep(0.01)

    def _tail(self) -> str:
        return self._log.read_text("utf-8", "replace").strip()[-2000:] if self._log.exists() else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


def _is_subscribed(publisher: Publisher) -> bool:
    try:
        publisher.wait_for_subscriber(0.1)
    except NoSubscriberError:
        return False
    return True
