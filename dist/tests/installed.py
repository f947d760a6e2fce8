"""Measures one run with the installed package and its extra `daemon`, and reads it; run by wheel.sh in each virtual environment."""

import importlib.metadata
import sys

import metrics_aggregator
import metrics_aggregator_daemon
from metrics_aggregator import Daemon
from metrics_aggregator.units import s

versions = {importlib.metadata.version(name) for name in ("metrics-aggregator", "metrics-aggregator-daemon")}
assert versions == {metrics_aggregator.__version__}, versions
with Daemon("--streaming") as daemon:
    with daemon.session() as publisher:
        for _ in range(100):
            with publisher.sample(prompt="What is a sidecar?") as sample:
                sample.token()
                sample.complete("A process.")
    run = daemon.run(valid=False)
    assert run.series("ttft_ns").count == 100
    assert run.series("ttft_ns").p99 < 60 * s
    html = run._repr_html_()
    assert run.verdict.validity.upper() in html
    assert html.count("<svg") == 2
print(f"Python {sys.version.split()[0]}: {run!r}, {run.verdict.validity}, {metrics_aggregator_daemon.HOME}")
