"""Snapshots as another aggregator, an older one or a broken peer sends them."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import msgspec
import pytest
import zmq

from metrics_aggregator import MetricsAggregatorError, SnapshotView, Subscriber

TTFT = ["series", "ttft_ns", 2, 30, 10, 20, 500.0, {"99.9": 20.0, "99.0": 19.9, "50.0": 15.0}, [[[10.0, 20.0], 2]], None]


def snapshot(number: int, state: str = "live", *more: Any) -> bytes:
    metrics = [["counter", "total_samples_issued", number], TTFT]
    return b"MET".ljust(40, b"\0") + msgspec.msgpack.encode([number, 123, state, 0, metrics, *more])


class Output:
    """Publishes frames once somebody has subscribed."""

    def __init__(self, endpoint: str, *frames: bytes) -> None:
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.XPUB)
        self._socket.bind(endpoint)
        self._thread = threading.Thread(target=self._publish, args=(frames,))
        self._thread.start()

    def _publish(self, frames: tuple[bytes, ...]) -> None:
        if self._socket.poll(30_000):
            self._socket.recv()
            for frame in frames:
                self._socket.send(frame)

    def close(self) -> None:
        self._thread.join()
        self._socket.close(linger=5000)
        self._context.term()


@pytest.fixture
def publish(folder):
    made: list[Output] = []

    def make(*frames: bytes) -> str:
        address = f"ipc://{folder}/metrics"
        made.append(Output(address, *frames))
        return address

    yield make
    for output in made:
        output.close()


def test_iteration_ends_after_the_final_snapshot_and_counts_gaps(publish):
    with Subscriber(publish(snapshot(1), snapshot(4), snapshot(5, "complete"), snapshot(6)), timeout=30) as subscriber:
        assert [each.number for each in subscriber] == [1, 4, 5]
        assert subscriber.missed == 2
        assert subscriber.last is not None
        assert subscriber.last.final
        assert subscriber.final(timeout=0).number == 5


def test_asynchronous_iteration_sees_the_same(publish):
    async def numbers() -> list[int]:
        async with Subscriber(publish(snapshot(1), snapshot(2), snapshot(3, "interrupted")), timeout=30) as subscriber:
            return [each.number async for each in subscriber]

    assert asyncio.run(numbers()) == [1, 2, 3]


def test_the_event_loop_runs_while_a_snapshot_is_awaited(folder):
    async def scenario() -> None:
        with Subscriber(f"ipc://{folder}/nobody") as subscriber:
            waiting = asyncio.create_task(subscriber.areceive(timeout=0.2))
            beats = 0
            while not waiting.done():
                await asyncio.sleep(0.01)
                beats += 1
            with pytest.raises(TimeoutError):
                waiting.result()
            assert beats > 3

    asyncio.run(scenario())


def test_waiting_for_the_end_fails_with_the_timeout(publish):
    with Subscriber(publish(snapshot(1))) as subscriber:
        with pytest.raises(TimeoutError):
            subscriber.final(timeout=0.3)
        assert subscriber.last is not None


def test_a_view_reads_counters_series_and_percentiles_of_an_aggregator_without_additions(publish):
    with Subscriber(publish(snapshot(7, "complete"))) as subscriber:
        view = subscriber.final(30)
    assert (view.number, view.timestamp_ns, view.state, view.pending) == (7, 123, "complete", 0)
    assert view.counter("total_samples_issued") == 7
    ttft = view.series("ttft_ns")
    assert (ttft.count, ttft.total, ttft.min, ttft.max, ttft.mean, ttft.std_dev) == (2, 30, 10, 20, 15, None)
    assert (ttft.percentile(99), ttft.percentile(99.9), ttft.exact) == (19.9, 20.0, False)
    assert (view.additions, view.series_names) == ({}, ["ttft_ns"])
    with pytest.raises(KeyError, match="percentile 42"):
        ttft.percentile(42)
    with pytest.raises(KeyError):
        view.counter("nothing")


@pytest.mark.parametrize("more", [(None, {"run": {"schema_version": 2}}), ({"run": {"schema_version": 1}},)])
def test_additions_are_found_at_the_place_of_either_schema(more):
    assert SnapshotView.decode(snapshot(1, "live", *more)[40:]).additions["run"]["schema_version"] in (1, 2)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        msgspec.msgpack.encode(42),
        msgspec.msgpack.encode([1, 2, "live", 0]),
        msgspec.msgpack.encode([1, 2, "live", 0, 5]),
        msgspec.msgpack.encode([1, 2, "live", 0, [["counter"]]]),
        msgspec.msgpack.encode([1, 2, "live", 0, [[]]]),
        msgspec.msgpack.encode([1, 2, "live", 0, [{"x": 1}]]),
        snapshot(1)[40:-1],
    ],
)
def test_frames_that_are_no_snapshots_are_counted_and_passed_over(publish, payload):
    with Subscriber(publish(b"MET".ljust(40, b"\0") + payload, snapshot(2, "complete")), timeout=30) as subscriber:
        assert [each.number for each in subscriber] == [2]
        assert subscriber.malformed == 1


def test_a_file_is_read_like_a_frame(tmp_path):
    series = dict(zip(("type", "name", "count", "total", "min", "max", "sum_sq", "percentiles", "histogram"), TTFT))
    metrics = [{"type": "counter", "name": "a", "value": 3}, {**series, "exact": True, "std_dev": 7.07}]
    tree = {
        "counter": 9,
        "timestamp_ns": 1,
        "state": "complete",
        "n_pending_tasks": 0,
        "metrics": metrics,
        "run": {"run_id": "r"},
    }
    (tmp_path / "final_snapshot.json").write_text(json.dumps(tree))
    view = SnapshotView.load(tmp_path)
    assert (view.number, view.counter("a"), view.additions["run"]["run_id"]) == (9, 3, "r")
    assert (view.series("ttft_ns").percentile(50), view.series("ttft_ns").exact, view.series("ttft_ns").std_dev) == (
        15,
        True,
        7.07,
    )
    (tmp_path / "final_snapshot.json").write_text("[]")
    with pytest.raises(MetricsAggregatorError, match=r"Cannot read the snapshot .*final_snapshot.json"):
        SnapshotView.load(tmp_path)


def test_a_subscriber_may_start_before_the_daemon(folder):
    address = f"ipc://{folder}/metrics"
    with Subscriber(address) as subscriber:
        output = Output(address, snapshot(1, "complete"))
        try:
            assert subscriber.final(30).number == 1
        finally:
            output.close()
