"""Records the requests of a Locust test.

    from locust import events, task
    from metrics_aggregator.locust import SseUser, attach

    @events.init.add_listener
    def record(environment, **_):
        attach(environment)                     # METRICS_AGGREGATOR_ENDPOINT, or attach(environment, "ipc:///tmp/bench/events")

    class ChatUser(SseUser):
        @task
        def chat(self):
            for event in self.stream("POST", "/v1/chat/completions", json={..., "stream": True}, name="chat"):
                ...

`attach` records every request that Locust reports, of any user class: its issue and its end, when it has ended. A streamed answer
needs `SseUser.stream`, which also records first token and chunks while they arrive; Locust's own timer of a stream ends with the
headers. The run begins with `test_start` and ends with `test_stop`. A test in one process binds the endpoint. With `--master`,
`--worker` or `--processes` each process connects to a daemon that binds (`--in bind:…`); the master has the session.
"""

from __future__ import annotations

import logging
import time
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from locust import HttpUser
from locust.rpc import Message
from locust.runners import MasterRunner, WorkerRunner

from .errors import NoSubscriberError
from .publisher import NullPublisher, Publisher
from .sse import ServerSentEvent, measure_sse_sync

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from locust.env import Environment

    from .sample import Sample
    from .session import Session

__all__ = ["SseUser", "attach", "publisher_of"]

log = logging.getLogger(__name__)

# What a master waits for its workers beyond Locust's `--stop-timeout`; Locust's own wait when a test is stopped is as long.
STOP_SECONDS = 60
# In the context of a request event: this request has a sample already.
_RECORDED = "metrics_aggregator_recorded"
_publishers: weakref.WeakKeyDictionary[Any, Publisher] = weakref.WeakKeyDictionary()
_null = NullPublisher()


def attach(
    environment: Environment, endpoint: str | None = None, *, publisher: Publisher | None = None, wait: float = 10, **options: Any
) -> Publisher:
    """Record the requests of this process; call it once, from a listener of `events.init`.

    Args:
        environment: The environment that the event passes.
        endpoint: See `Publisher`.
        publisher: Use this one instead, and leave it open at the end.
        wait: Seconds to wait here for the daemon, before Locust starts its clock. If none subscribes, the test runs all the same,
            and the records wait in the queue.
        options: See `Publisher`.
    """
    distributed = isinstance(environment.runner, (MasterRunner, WorkerRunner))
    made = Publisher(endpoint, connect=distributed, **options) if publisher is None else publisher
    try:
        made.wait_for_subscriber(wait)
    except NoSubscriberError as e:
        log.warning("the test begins without a daemon: %s", e)
    recorder = _Recorder(environment, made, owned=publisher is None)
    environment.events.test_start.add_listener(recorder.start)
    environment.events.test_stop.add_listener(recorder.stop)
    environment.events.request.add_listener(recorder.request)
    # Not `quitting`, which Locust fires before it stops the users.
    environment.events.quit.add_listener(recorder.quit)
    _publishers[environment] = made
    return made


def publisher_of(environment: Environment) -> Publisher:
    """Return the publisher attached to an environment; one that records nothing if there is none."""
    return _publishers.get(environment, _null)


class _Recorder:
    """Listeners of one process."""

    def __init__(self, environment: Environment, publisher: Publisher, *, owned: bool) -> None:
        self._environment = environment
        self._publisher = publisher
        self._owned = owned
        self._session: Session | None = None

    def start(self, **_: Any) -> None:
        if not isinstance(self._environment.runner, WorkerRunner):
            self._session = self._publisher.session()
            self._session.start()

    def stop(self, **_: Any) -> None:
        runner = self._environment.runner
        if self._session is not None:
            self._session.stop_tracking()
            if isinstance(runner, MasterRunner) and runner.user_count != 0:
                # A master that quits fires this event before it tells its workers, and then gives them half a second.
                # The session ends with `quit`, behind the workers' last records.
                self._await_workers(runner)
            else:
                self._end()
        self._publisher.flush()

    def _await_workers(self, runner: MasterRunner) -> None:
        for worker in runner.clients.all:
            runner.server.send_to_client(Message("stop", None, worker.id))
        timeout = (self._environment.stop_timeout or 0) + STOP_SECONDS
        deadline = time.monotonic() + timeout
        while runner.user_count != 0:
            if time.monotonic() > deadline:
                log.warning(
                    "%d users have not stopped within %g s; what they record from here on is lost", runner.user_count, timeout
                )
                return
            # Locust has replaced it: the runner goes on meanwhile.
            time.sleep(0.05)

    def quit(self, **_: Any) -> None:
        self._end()
        if self._owned:
            self._publisher.close()

    def _end(self) -> None:
        if self._session is not None:
            self._session.end()
            self._session = None

    def request(
        self,
        request_type: str,
        name: str,
        response_time: float | None,
        exception: BaseException | None = None,
        context: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> None:
        if context and context.get(_RECORDED):
            return
        ended = time.monotonic_ns()
        issued = ended - round((response_time or 0) * 1e6)
        sample = self._publisher.sample(labels={"name": str(name), "type": str(request_type)}, at=issued)
        if exception is None:
            sample.complete(at=ended)
        else:
            sample.error(exception, at=ended)


class SseUser(HttpUser):
    """A Locust user whose streamed answers are measured chunk by chunk."""

    abstract = True

    def stream(
        self, method: str, url: str, *, name: str | None = None, details: Mapping[str, Any] | None = None, **arguments: Any
    ) -> Iterator[ServerSentEvent]:
        """Send a request and yield the server-sent events of its answer; Locust reports it with the time to the answer's end.

        Args:
            method: Such as `POST`.
            url: Path below the host, or a whole address.
            name: Name in Locust's statistics, and label of the sample.
            details: Keyword arguments for `Publisher.sample`, such as `scheduled_ns` or `prompt`.
            arguments: As for `self.client.request`: `json`, `headers`, `timeout`, …
        """
        with self.sample(name or url, **(details or {})) as sample:
            started = time.perf_counter()
            with self.client.request(
                method, url, name=name, stream=True, catch_response=True, context={_RECORDED: True}, **arguments
            ) as response:
                try:
                    # Locust returns a response of its own with status 0 if no connection was made.
                    refused = getattr(response, "error", None)
                    if refused is not None:
                        sample.error(refused)
                        return
                    yield from measure_sse_sync(response, sample)
                except Exception as e:
                    # As elsewhere in Locust, a failed request is reported, and the user goes on.
                    response.failure(e)
                finally:
                    elapsed = (time.perf_counter() - started) * 1000
                    response.request_meta = {**response.request_meta, "response_time": elapsed}

    @contextmanager
    def sample(self, name: str, **details: Any) -> Iterator[Sample]:
        """Measure a request of another client, such as gRPC, by hand; `details` as for `Publisher.sample`."""
        labels = {"name": name, **details.pop("labels", {})}
        with publisher_of(self.environment).sample(labels=labels, **details) as sample:
            yield sample
