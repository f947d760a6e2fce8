"""The plugin of pytest and `Daemon`, with a real daemon."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from metrics_aggregator import Daemon, InvalidRunError, MetricsAggregatorError, Publisher, load
from metrics_aggregator.units import s

from conftest import DAEMON

TESTS = """
import pytest
from metrics_aggregator.units import ms, s

@pytest.fixture(scope="session")
def run(metrics_daemon):
    with metrics_daemon.session() as publisher:
        for number in range(SAMPLES):
            with publisher.sample() as sample:
                sample.token()
                if number < FAILED:
                    sample.error("Timeout", "no answer")
    return metrics_daemon.run()

def test_it_is_fast(run):
    assert run.series("ttft_ns").p99 < 5 * s

def test_it_is_faster(run):
    assert run.series("ttft_ns").p99 < 0 * ms

def test_another_run(metrics_daemons):
    daemon = metrics_daemons("--streaming")
    with daemon.session() as publisher:
        publisher.sample().complete()
    assert daemon.run(valid=False).counter("tracked_samples_completed") == 1
"""


@pytest.fixture
def session(program, pytester, monkeypatch):
    """Runs TESTS in a session of pytest of its own."""
    monkeypatch.setenv("METRICS_AGGREGATOR", str(DAEMON))

    def run(*, samples, failed=0):
        pytester.makepyfile(TESTS.replace("SAMPLES", str(samples)).replace("FAILED", str(failed)))
        return pytester.runpytest_subprocess("-p", "no:cacheprovider")

    return run


def test_tests_of_a_session_share_a_run_and_claim_its_figures(session):
    result = session(samples=700)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.re_match_lines([r"E +AssertionError: assert [\d.]+ [mun]s < \(0 \* 1 ms\)"])


def test_an_invalid_run_is_an_error_of_each_test_that_says_why(session):
    result = session(samples=100, failed=60)
    result.assert_outcomes(passed=1, errors=2)
    result.stdout.fnmatch_lines(["E *InvalidRunError: The run * is INVALID; failed samples: 60 of 100 *"])


def test_a_session_that_does_not_use_the_plugin_imports_no_zmq(tmp_path):
    code = "import pytest, sys; pytest.main(['--version']); import metrics_aggregator.pytest; sys.exit('zmq' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd=tmp_path)


def test_other_processes_publish_to_a_daemon(program):
    code = """
from metrics_aggregator import Publisher
with Publisher() as publisher:
    publisher.wait_for_subscriber()
    for _ in range(10):
        publisher.sample().complete()
"""
    with Daemon() as daemon:
        with daemon.session() as publisher:
            environment = {**os.environ, "METRICS_AGGREGATOR_ENDPOINT": daemon.endpoint}
            subprocess.run([sys.executable, "-c", code], check=True, env=environment)
            publisher.sample().complete()
        run = daemon.run(valid=False)
        assert run.counter("total_samples_issued") == 11
        assert run.series("sample_latency_ns").p50 < 5 * s
        temporary = daemon.output
    assert not temporary.exists()
    with pytest.raises(MetricsAggregatorError, match="Cannot read"):
        load(temporary)


def test_a_daemon_that_does_not_start_says_why(program, tmp_path):
    with Daemon("--no-such-option", output=tmp_path) as daemon:
        with pytest.raises(MetricsAggregatorError, match=r"ended with status 2 .*--no-such-option"):
            with daemon.session():
                pytest.fail("it has no daemon")
        with pytest.raises(MetricsAggregatorError, match=r"ended with status 2: .*--no-such-option"):
            daemon.run()
    (tmp_path / "file").touch()
    with pytest.raises(MetricsAggregatorError, match=r"Cannot start the daemon: .*file"):
        Daemon(output=tmp_path / "file" / "out")


def test_a_run_whose_session_has_not_ended_is_no_result(program, tmp_path):
    with Daemon(output=tmp_path) as daemon:
        with Publisher(daemon.endpoint) as publisher:
            publisher.wait_for_subscriber(60)
            with pytest.raises(MetricsAggregatorError, match=r"did not end within 0.1 s: it ends after the session"):
                daemon.run(timeout=0.1)
    # Closing ended it as interrupted.
    assert load(tmp_path).state == "interrupted"


def test_an_error_in_the_session_interrupts_the_run(program, tmp_path):
    with Daemon(output=tmp_path) as daemon:
        with pytest.raises(ZeroDivisionError):
            with daemon.session():
                raise ZeroDivisionError
        with pytest.raises(InvalidRunError, match="interrupted"):
            daemon.run()
