"""Forks, exits, signals, threads and greenlets."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections import defaultdict

import pytest

from metrics_aggregator import MetricsAggregatorError, NullPublisher, Publisher

from conftest import WAIT, await_true


def python(program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh interpreter; a failure shows its output."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done


def require_gevent() -> None:
    if importlib.util.find_spec("gevent") is None:
        pytest.skip("gevent is not installed")


def by_source(records) -> dict[str, list[dict]]:
    sources = defaultdict(list)
    for record in records:
        sources[record["source_id"]].append(record)
    for each in sources.values():
        assert [record["seq"] for record in each] == list(range(len(each))), "numbers from 0 without a gap"
    return sources


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_that_connects_publishes_with_a_name_and_numbers_of_its_own(folder, peers):
    address = f"ipc://{folder}/daemon"
    peer = peers(address, bind=True)
    with Publisher(address, connect=True, source="parent") as publisher:
        publisher.wait_for_subscriber()
        with publisher._outbox._lock:  # nothing is flushed before the fork, so that the child has something to forget
            inherited = publisher.sample(id="parent-1")
            child = os.fork()
        if child == 0:
            publisher.sample()
            inherited.complete()
            os._exit(publisher.close())
        publisher.sample(id="parent-2")
        assert os.waitpid(child, 0)[1] == 0
        records = peer.await_records(4)
    sources = by_source(records)
    assert [record["sample_uuid"] for record in sources.pop("parent")] == ["parent-1", "parent-2"]
    ((name, theirs),) = sources.items()
    assert name.startswith(f"parent:{child}:")
    assert [record["event_type"] for record in theirs] == ["sample.issued", "sample.complete"]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_of_a_publisher_that_binds_drops_its_records_and_leaves_the_socket_alone(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        publisher.wait_for_subscriber()
        child = os.fork()
        if child == 0:
            publisher.sample()
            stats = publisher.stats()
            os._exit(0 if (stats.recorded, stats.dropped) == (1, 1) and publisher.close() == 0 else 1)
        assert os.waitpid(child, 0)[1] == 0
        publisher.sample(id="after")
        assert [record["sample_uuid"] for record in peer.await_records(1)] == ["after"]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_children_of_multiprocessing_deliver_what_they_recorded_without_closing(folder, peers, method):
    address = f"ipc://{folder}/daemon"
    peer = peers(address, bind=True)
    (folder / "load.py").write_text(
        textwrap.dedent(
            """
            import multiprocessing, sys, warnings
            from metrics_aggregator import Publisher

            warnings.simplefilter("ignore", DeprecationWarning)
            address, method = sys.argv[1:]
            publisher = None

            def work(count):
                global publisher
                if publisher is None:
                    publisher = Publisher(address, connect=True)
                for _ in range(count):
                    publisher.sample()

            if __name__ == "__main__":
                context = multiprocessing.get_context(method)
                if method == "fork":
                    publisher = Publisher(address, connect=True)
                    publisher.sample()
                children = [context.Process(target=work, args=(1500,)) for _ in range(2)]
                for child in children: child.start()
                for child in children: child.join()
                assert [child.exitcode for child in children] == [0, 0]
            """
        )
    )
    subprocess.run([sys.executable, folder / "load.py", address, method], check=True, timeout=WAIT)
    count = 3001 if method == "fork" else 3000
    sources = by_source(peer.await_records(count))
    assert sorted(len(each) for each in sources.values()) == ([1, 1500, 1500] if method == "fork" else [1500, 1500])


def test_an_open_publisher_delivers_at_exit(endpoint, peers):
    peer = peers(endpoint)
    program = """
        import sys
        from metrics_aggregator import Publisher
        publisher = Publisher(sys.argv[1])
        for _ in range(2500): publisher.sample()
    """
    python(program, endpoint)
    assert len(peer.await_records(2500)) == 2500


def test_a_signal_handler_may_record_and_close_during_a_call(endpoint, peers):
    peer = peers(endpoint)
    program = """
        import os, signal, sys, threading, time
        from metrics_aggregator import Publisher
        publisher = Publisher(sys.argv[1])
        publisher.wait_for_subscriber()
        count = 0
        def record(*_):
            global count
            count += 1
            publisher.sample(id="handler")
        def stop(*_):
            signal.setitimer(signal.ITIMER_REAL, 0)
            publisher.close()
            raise SystemExit(0)
        signal.signal(signal.SIGALRM, record)
        signal.signal(signal.SIGTERM, stop)
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
        threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGTERM)).start()
        sample = publisher.sample()
        while True:
            sample.token()
    """
    python(program, endpoint)
    numbers = [record["seq"] for record in await_quiet(peer)]
    # The record that the handler interrupted may be lost with its number; nothing is repeated or reordered.
    assert numbers == sorted(set(numbers))
    assert numbers[-1] + 1 - len(numbers) <= 1
    assert any(record["sample_uuid"] == "handler" for record in peer.records)


def await_quiet(peer):
    """The records of a publisher whose process has ended: ZeroMQ's linger handed all to the system before."""
    last = -1

    def quiet() -> bool:
        nonlocal last
        before, last = last, len(peer.frames)
        threading.Event().wait(0.1)
        return last > 0 and before == len(peer.frames)

    await_true(quiet, "no further frames")
    return peer.records


def test_threads_share_a_publisher(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:

        def work() -> None:
            for _ in range(2000):
                with publisher.sample() as sample:
                    sample.token()

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        records = peer.await_records(8 * 2000 * 3)
    assert [record["seq"] for record in records] == list(range(48_000))


def test_greenlets_of_a_patched_process_go_on_while_a_publisher_flushes_and_closes(endpoint, peers):
    require_gevent()
    peer = peers(endpoint)
    program = """
        from gevent import monkey
        monkey.patch_all()
        import sys, threading, time
        import gevent
        from metrics_aggregator import Publisher

        publisher = Publisher(sys.argv[1])
        publisher.wait_for_subscriber()
        assert isinstance(threading.current_thread(), threading._MainThread)
        beats = []
        def beat():
            while True:
                beats.append(time.monotonic())
                gevent.sleep(0.001)
        heart = gevent.spawn(beat)
        def user(number):
            for _ in range(200):
                with publisher.sample() as sample:
                    sample.token()
                    gevent.sleep(0)
        gevent.joinall([gevent.spawn(user, n) for n in range(20)], raise_error=True)
        gevent.sleep(0.05)                      # the flusher is a greenlet: it sends while this one sleeps
        assert publisher.stats().queued == 0, publisher.stats()
        publisher.sample()
        alive = len(beats)
        assert publisher.close() == 0
        print(len(beats) - alive)
    """
    python(program, endpoint)
    assert len(peer.await_records(12_001)) == 12_001


def test_a_close_under_gevent_that_waits_for_a_stuck_subscriber_lets_other_greenlets_run(endpoint, peers):
    require_gevent()
    peer = peers(endpoint, rcvhwm=1)
    program = """
        from gevent import monkey
        monkey.patch_all()
        import sys, time
        import gevent
        from metrics_aggregator import Publisher

        publisher = Publisher(sys.argv[1])
        publisher.wait_for_subscriber()
        print("ready", flush=True)
        sys.stdin.readline()
        for _ in range(20):
            publisher.sample(prompt="x" * 250_000)
        publisher.flush()
        gaps, last = [], time.monotonic()
        def beat():
            global last
            while True:
                gaps.append(time.monotonic() - last)
                last = time.monotonic()
                gevent.sleep(0.001)
        gevent.spawn(beat)
        publisher.close(timeout=2)
        print(max(gaps))
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), endpoint], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        peer.pause()
        process.stdin.write("\n")
        process.stdin.flush()
        longest = float(process.stdout.readline())
        peer.resume()
    assert longest < 1


def test_the_environment_names_the_endpoint(endpoint, peers, monkeypatch):
    monkeypatch.setenv("METRICS_AGGREGATOR_ENDPOINT", f"bind:{endpoint}")
    peer = peers(endpoint)
    with Publisher(connect=True) as publisher:
        assert publisher.enabled
        publisher.sample()
    peer.await_records(1)


@pytest.mark.parametrize("variable", ["1", "true"])
def test_a_disabled_publisher_opens_and_records_nothing(monkeypatch, variable):
    monkeypatch.setenv("METRICS_AGGREGATOR_DISABLED", variable)
    check_nothing_happens(Publisher())


def test_a_null_publisher_takes_every_call(endpoint):
    check_nothing_happens(NullPublisher(endpoint, connect=True))


def check_nothing_happens(publisher: Publisher) -> None:
    with publisher:
        assert not publisher.enabled
        publisher.wait_for_subscriber(timeout=0)
        with publisher.session(), publisher.sample(prompt="x") as sample:
            sample.token()
            sample.complete()
            sample.complete()
        publisher.count("a")
        assert publisher.flush()
        assert publisher.stats().recorded == 0
    assert publisher.close() == 0


@pytest.mark.parametrize(
    ("endpoint", "reason"),
    [
        (None, "give an endpoint, or set METRICS_AGGREGATOR_ENDPOINT"),
        ("inproc://x", "write ipc://PATH or tcp://HOST:PORT"),
        ("ipc://@x", "no abstract sockets"),
        ("ipc:///" + "x" * 106, "exceeds 106 bytes"),
        ("ipc:///no/such/folder/x", "create its directory first"),
        ("ipc://pyproject.toml", "exists and is not a socket"),
        ("tcp://127.0.0.1:1", "Cannot bind tcp://127.0.0.1:1"),
    ],
)
def test_an_endpoint_that_cannot_be_used_is_refused_with_the_reason(endpoint, reason, monkeypatch, request):
    monkeypatch.chdir(request.config.rootpath)
    if endpoint == "tcp://127.0.0.1:1" and os.geteuid() == 0:
        endpoint, reason = "tcp://203.0.113.1:5600", "Cannot bind tcp://203.0.113.1:5600"
    with pytest.raises(MetricsAggregatorError, match=reason):
        Publisher(endpoint)


def test_a_path_on_which_another_process_listens_is_not_taken_over(endpoint):
    with Publisher(endpoint), pytest.raises(MetricsAggregatorError, match="another process listens on it"):
        Publisher(endpoint)
    Publisher(endpoint).close()


@pytest.mark.parametrize("size", [0, -1, "0", "12 parsecs", "MiB", "1.5MiB"])
def test_a_limit_that_is_no_size_is_refused(endpoint, size):
    with pytest.raises(MetricsAggregatorError, match="Cannot use max_queue"):
        Publisher(endpoint, max_queue=size)


def test_sigint_during_a_close_ends_it(endpoint):
    program = """
        import os, signal, sys, threading
        from metrics_aggregator import Publisher
        # A background job of a shell starts with SIGINT ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        publisher = Publisher(sys.argv[1])
        publisher.sample()
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            publisher.close(timeout=60)
        except KeyboardInterrupt:
            os._exit(0)
        os._exit(1)
    """
    assert signal.getsignal(signal.SIGINT) is not None
    python(program, endpoint)
