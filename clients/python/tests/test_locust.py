"""The Locust listener and user, with real locust processes, the synthetic server and the daemon."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

# An import would patch this process.
if importlib.util.find_spec("locust") is None:
    pytest.skip("locust is not installed", allow_module_level=True)

LOCUSTFILE = Path(__file__).with_name("locustfile.py")


def locust(folder: Path, host: str, *options: str, endpoint: str, seconds_to_stop: float = 0) -> str:
    """Run locust headless for three seconds, with users that need this long to stop; return its log."""
    done = subprocess.run(
        [*(sys.executable, "-m", "locust", "-f", LOCUSTFILE, "--headless", "--host", host), *("-u6", "-r6", "-t3s"), *options],
        env={**os.environ, "METRICS_AGGREGATOR_ENDPOINT": endpoint, "SECONDS_TO_STOP": str(seconds_to_stop)},
        capture_output=True,
        text=True,
        timeout=90,
        cwd=folder,
        check=False,
    )
    log = done.stderr + done.stdout
    assert "Traceback" not in log, log
    assert "Uncaught exception" not in log, log
    return log


def check(final, workers: int) -> None:
    assert final["state"] == "complete"
    counters = {name: metric["value"] for name, metric in final["by_name"].items() if metric["type"] == "counter"}
    assert counters["total_samples_issued"] == counters["total_samples_completed"] > 10
    assert 0 < counters["total_samples_failed"] < counters["total_samples_issued"]
    first, chunks = final["by_name"]["ttft_ns"], final["by_name"]["chunk_delta_ns"]
    # The answers of 20 tokens; a user that the end of the test stops may leave one unfinished.
    assert first["count"] > 3
    assert 0 <= first["count"] * 19 - chunks["count"] <= 6 * 19
    assert first["min"] >= 15_000_000
    assert sum(row["seq_lost"] for row in final["workers"]) == 0
    assert len([row for row in final["workers"] if row["completed"]]) == workers
    assert "HTTP 404" in {error["type"] for error in final["errors"]}


def test_a_test_in_one_process_binds_and_has_the_session(daemons, synthetic, folder):
    daemon = daemons("--streaming")
    log = locust(folder, synthetic.url, endpoint=daemon.events)
    check(daemon.final(), workers=1)
    names = {line.split()[1] for line in log.splitlines() if line.startswith(("POST", "GET"))}
    assert names == {"chat", "models", "missing"}


def test_a_distributed_test_has_its_session_in_the_master(daemons, synthetic, folder):
    address = f"ipc://{folder}/events"
    daemon = daemons("--streaming", events=f"bind:{address}")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    distributed = ("--processes=2", f"--master-bind-port={port}", f"--master-port={port}")
    # Longer than a master that quits waits of itself.
    log = locust(folder, synthetic.url, *distributed, endpoint=address, seconds_to_stop=1.5)
    assert "have not stopped" not in log
    final = daemon.final()
    check(final, workers=2)
    assert final["by_label"]["name"]["values"]["whole"]["completed"] == 6
