"""The package against the daemon of this checkout."""

from __future__ import annotations

import asyncio
import signal
import threading

from metrics_aggregator import Publisher, SnapshotView, Subscriber, Usage

from conftest import await_true


def workers(final):
    """The daemon's loss counts, summed over its table of workers."""
    return {
        key: sum(row[key] for row in final["workers"]) for key in ("records", "seq_lost", "seq_repeated", "seq_unknown_start")
    }


def test_a_run_of_streamed_samples_reaches_the_final_snapshot(daemons):
    daemon = daemons("--streaming")
    with Subscriber(daemon.metrics) as snapshots, Publisher(daemon.events) as publisher:
        publisher.wait_for_subscriber(60)
        with publisher.session():
            for number in range(100):
                with publisher.sample(prompt="What is a sidecar?", labels={"model": "m"}) as sample:
                    for part in ("reasoning", "output", "output"):
                        sample.token(part=part)
                    if number % 10 == 9:
                        sample.error("Timeout", "no answer")
                    else:
                        sample.complete(["A", " process"], finish_reason="stop", usage=Usage(input=5, output=2, cached=0))
            publisher.count("retries", 3)
        assert publisher.close() == 0
        live = snapshots.final(60)
    final = daemon.final()
    assert (final["state"], live.state) == ("complete", "complete")
    counters = {name: metric["value"] for name, metric in final["by_name"].items() if metric["type"] == "counter"}
    assert counters["tracked_samples_issued"] == counters["tracked_samples_completed"] == 100
    assert counters["total_samples_failed"] == 10
    assert counters["records_received"] == counters["records_applied"] == 4 + 100 * 5 + 10 + 1
    assert workers(final) == {"records": 515, "seq_lost": 0, "seq_repeated": 0, "seq_unknown_start": 0}
    assert final["by_name"]["ttft_ns"]["count"] == 100
    assert final["by_name"]["chunk_delta_ns"]["count"] == 200
    for name, total in {"usage_prompt_tokens": 450, "usage_completion_tokens": 180, "usage_cached_tokens": 0}.items():
        assert (final["by_name"][name]["count"], final["by_name"][name]["total"]) == (90, total)
    assert counters.get("usage_rejected", 0) == 0
    assert live.counters == SnapshotView.load(daemon.output).counters == counters
    assert live.series("ttft_ns").percentile(99) == final["by_name"]["ttft_ns"]["interpolated"]["99.0"]


def test_100000_records_reach_a_daemon_that_stops_for_one_second(daemons):
    daemon = daemons()
    with Publisher(daemon.events) as publisher:
        publisher.wait_for_subscriber(60)
        with publisher.session():
            sample = publisher.sample()
            go_on = threading.Timer(1, daemon.process.send_signal, (signal.SIGCONT,))
            for number in range(100_000 - 6):
                if number == 20_000:
                    daemon.process.send_signal(signal.SIGSTOP)
                    go_on.start()
                sample.token()
            sample.complete()
            go_on.join()
        assert publisher.close(60) == 0
        assert publisher.stats().dropped == 0
    assert workers(daemon.final()) == {"records": 100_000, "seq_lost": 0, "seq_repeated": 0, "seq_unknown_start": 0}


def test_the_daemon_reports_exactly_the_records_that_a_full_queue_dropped(daemons):
    daemon = daemons()
    with Publisher(daemon.events, max_queue="1MiB") as publisher:
        publisher.wait_for_subscriber(60)
        with publisher.session():
            sample = publisher.sample()
            daemon.process.send_signal(signal.SIGSTOP)
            while publisher.stats().dropped == 0:
                for _ in range(1000):
                    sample.token()
            daemon.process.send_signal(signal.SIGCONT)
            await_true(lambda: publisher.stats().queued == 0, "the queue drains")
        assert publisher.close(60) == 0
        stats = publisher.stats()
    assert stats.dropped > 0
    counts = workers(daemon.final())
    assert counts["seq_lost"] == stats.dropped
    assert counts["records"] + counts["seq_lost"] == stats.recorded


def test_an_asynchronous_load_with_a_schedule(daemons):
    daemon = daemons()

    async def load() -> None:
        async with Publisher(daemon.events) as publisher:
            await publisher.ready(60)
            async with publisher.session():

                async def request(number: int) -> None:
                    due = asyncio.get_running_loop().time() + 0.002 * number
                    await asyncio.sleep(0.002 * number)
                    async with publisher.sample(scheduled_ns=int(due * 1e9)) as sample:
                        await asyncio.sleep(0.001)
                        sample.complete("yes")

                await asyncio.gather(*(request(number) for number in range(50)))

    asyncio.run(load())
    final = daemon.final()
    slip = final["by_name"]["schedule_slip_ns"]
    assert slip["count"] == 50
    assert slip["min"] >= 0


def test_several_processes_connect_to_one_daemon(daemons, folder):
    events = f"bind:ipc://{folder}/events"
    daemon = daemons(events=events)
    publishers = [Publisher(f"ipc://{folder}/events", connect=True, source=f"worker-{number}") for number in range(3)]
    for publisher in publishers:
        publisher.wait_for_subscriber(60)
    session = publishers[0].session()
    with Subscriber(daemon.metrics, timeout=60) as snapshots:
        session.start()
        next(snapshot for snapshot in snapshots if snapshot.additions["session"]["tracking"])
        for publisher in publishers:
            for _ in range(10):
                publisher.sample().complete()
        for publisher in publishers[1:]:
            assert publisher.close() == 0
        # Connections have no order among each other: the session must not end before the daemon has the others' records.
        next(snapshot for snapshot in snapshots if snapshot.counter("total_samples_completed") == 30)
    session.end()
    assert publishers[0].close() == 0
    final = daemon.final()
    assert {row["worker"]: row["completed"] for row in final["workers"]} == {f"worker-{number}": 10 for number in range(3)}


def test_a_daemon_sums_up_transfers_operations_and_resources(daemons):
    daemon = daemons()
    data = {"transfer_duration": [0.002, 0.004], "bytes_transferred": [1 << 20, 3 << 20], "num_descriptors": [4, 7]}
    with Publisher(daemon.events) as publisher:
        publisher.wait_for_subscriber(60)
        with publisher.session():
            publisher.transfer_stats({**data, "num_failed_handshakes": [1], "num_notifications_after_expiry": [1, 1]})
            publisher.operation("store.get", "k1", 1_500_000)
            publisher.resource(interval_s=1.0, cpu_pct=[10.0, 50.0], node="node-1")
    observations = daemon.final()["observations"]
    transfers = observations["transfer"]["cumulative"]["ours"]
    assert (transfers["n_ok"], transfers["n_handshake_failed"], transfers["n_notified_after_expiry"]) == (2, 1, 2)
    assert "store.get" in str(observations["operation"])
    assert "node-1" in str(observations["resource"])
