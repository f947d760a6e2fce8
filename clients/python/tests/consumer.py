"""A program of a user, which mypy --strict checks against the installed package in ./check; it is not run.

Every ignored error must be one: an unused one fails the check, so untyped names would be noticed.
"""

from __future__ import annotations

from typing import Callable

import pytest

from metrics_aggregator import Daemon, InvalidRunError, Publisher, Run, SnapshotView, Usage, Verdict, load
from metrics_aggregator.run import Percentile
from metrics_aggregator.units import Quantity, ms, s


def publish(publisher: Publisher) -> None:
    with publisher.session(), publisher.sample(prompt="Hi", labels={"model": "m"}) as sample:
        sample.token(part="output")
        sample.token(part="thoughts")  # type: ignore[arg-type]
        sample.complete("yes", usage=Usage(input=5, output=2))


def read(path: str) -> bool:
    run: Run = load(path).require_valid()
    p99: Percentile = run.series("ttft_ns").p99
    bound: Quantity | None = p99.upper_bound
    verdict: Verdict = run.verdict
    final: SnapshotView = run.snapshot
    ratio: float = p99 / ms
    _ = run.series("ttft_ns").p999  # type: ignore[attr-defined]
    print(bound, verdict.reasons, final.counters, ratio, run.slices(), run.samples("dask"))  # type: ignore[call-overload]
    return p99 < 0.5 * s and p99.certain


@pytest.fixture(scope="session")
def run(metrics_daemon: Daemon, metrics_daemons: Callable[..., Daemon]) -> Run:
    with metrics_daemon.session() as publisher:
        publish(publisher)
    try:
        return metrics_daemon.run()
    except InvalidRunError as e:
        pytest.fail(str(e))
