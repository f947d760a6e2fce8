"""What a publisher puts on the wire, read by a plain ZeroMQ subscriber."""

from __future__ import annotations

import asyncio
import time
from typing import Any, ClassVar

import pytest

from metrics_aggregator import Publisher, Usage
from metrics_aggregator._context import current_details, request_details

from conftest import await_true


def test_a_streamed_sample_has_the_records_and_keys_of_the_protocol(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint, source="loadgen-1") as publisher:
        publisher.wait_for_subscriber()
        before = time.monotonic_ns()
        with publisher.session():
            sample = publisher.sample(
                prompt="Hi", scheduled_ns=before, conversation_id="c", turn=3, last_turn=True, labels={"model": "m"}
            )
            sample.first_token(part="reasoning", tokens=2)
            sample.first_token()
            sample.token(part="output")
            usage = Usage(input=12, output=5, cached=4, reasoning=2)
            sample.complete(output=["a", " b"], reasoning="r", finish_reason="stop", usage=usage)
        after = time.monotonic_ns()
    records = peer.await_records(8)
    assert [record["event_type"] for record in records] == [
        "session.started",
        "session.start_performance_tracking",
        "sample.issued",
        "sample.recv_first",
        "sample.recv_non_first",
        "sample.complete",
        "session.stop_performance_tracking",
        "session.ended",
    ]
    assert [record["seq"] for record in records] == list(range(8))
    assert {record["source_id"] for record in records} == {"loadgen-1"}
    assert len({record["life"] for record in records}) == 1
    times = [record["timestamp_ns"] for record in records]
    assert times == sorted(times)
    assert before <= times[0]
    assert times[-1] <= after
    issued, first, later, complete = records[2:6]
    assert len(issued["sample_uuid"]) == 32
    assert {record["sample_uuid"] for record in records[2:6]} == {sample.id}
    assert {(record["conversation_id"], record["turn"]) for record in records[2:6]} == {("c", 3)}
    assert issued["data"] == ["PromptData", "Hi", None, None, None, None, None, None]
    assert issued["scheduled_ns"] == before
    assert issued["labels"] == {"model": "m"}
    assert issued["last_turn"] is True
    assert (first["part"], first["tokens"], later["part"]) == ("reasoning", 2, "output")
    assert "tokens" not in later
    assert complete["data"] == ["TextModelOutput", ["a", " b"], "r", None]
    assert complete["finish_reason"] == "stop"
    assert complete["usage"] == {"prompt_tokens": 12, "completion_tokens": 5, "cached_tokens": 4, "reasoning_tokens": 2}


def test_a_record_carries_no_key_that_was_not_given(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        publisher.sample(id="s1").complete()
    for record in peer.await_records(2):
        assert set(record) == {"event_type", "timestamp_ns", "sample_uuid", "source_id", "seq", "life"}


def test_a_block_that_fails_records_error_then_completion_at_one_time_and_raises(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        with pytest.raises(ValueError, match="no answer"), publisher.sample():
            raise ValueError("no answer")
    _issued, error, complete = peer.await_records(3)
    assert (error["event_type"], complete["event_type"]) == ("error.generic", "sample.complete")
    assert error["data"] == ["ErrorData", "ValueError", "no answer"]
    assert error["timestamp_ns"] == complete["timestamp_ns"]
    assert error["sample_uuid"] == complete["sample_uuid"]
    assert "data" not in complete


def test_an_error_may_leave_the_sample_open_or_belong_to_none(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        sample = publisher.sample()
        sample.error("Timeout", "no answer", kind="client", complete=False)
        sample.complete(output="par")
        publisher.error(OSError("disk"))
    _issued, error, complete, other = peer.await_records(4)
    assert (error["event_type"], error["data"]) == ("error.client", ["ErrorData", "Timeout", "no answer"])
    assert complete["data"][1] == "par"
    assert (other["event_type"], other["data"]) == ("error.loadgen", ["ErrorData", "OSError", "disk"])
    assert "sample_uuid" not in other


def test_a_cancelled_task_records_an_error_of_the_client(endpoint, peers):
    peer = peers(endpoint)

    async def scenario(publisher: Publisher) -> None:
        entered = asyncio.Event()

        async def request() -> None:
            async with publisher.sample():
                entered.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(request())
        await entered.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with Publisher(endpoint) as publisher:
        asyncio.run(scenario(publisher))
    assert peer.types(3) == ["sample.issued", "error.client", "sample.complete"]
    assert peer.records[1]["data"][1] == "Cancelled"


def test_a_block_that_ends_without_complete_completes(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher, publisher.sample() as sample:
        sample.token()
    assert peer.types(3) == ["sample.issued", "sample.recv_first", "sample.complete"]


def test_calls_after_the_end_record_nothing_and_are_counted(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        with publisher.sample() as sample:
            sample.complete()
            sample.token()
            sample.complete()
            sample.error("Late")
            sample.cancel()
        publisher.flush()
        stats = publisher.stats()
    assert (stats.recorded, stats.ignored_calls) == (2, 4)
    assert peer.types(2) == ["sample.issued", "sample.complete"]


def test_an_interrupted_session_says_so_before_it_ends(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher, pytest.raises(KeyError), publisher.session():
        raise KeyError("x")
    assert peer.types(5)[-3:] == ["session.stop_performance_tracking", "session.interrupted", "session.ended"]


def test_samples_of_a_warm_up_come_before_the_window(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher, publisher.session(tracking=False) as session:
        publisher.sample(id="w").complete()
        session.phase("performance", size=6)
        with session.tracking():
            publisher.sample(id="s").complete()
        session.stop_load()
    records = peer.await_records(10)
    assert [record["event_type"].split(".")[1] for record in records] == [
        *("started", "issued", "complete", "phase_start", "start_performance_tracking", "issued", "complete"),
        *("stop_performance_tracking", "stop_loadgen", "ended"),
    ]
    assert records[3]["data"] == ["PhaseData", "performance", True, 6]


def test_metrics_carry_value_unit_labels_and_wall_time(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        wall = time.time_ns()
        publisher.count("prefill.tokens", 512, unit="tokens")
        publisher.gauge("queue.depth", -3.5, labels={"pool": "decode"})
        publisher.record("batch.size", 16, at=time.monotonic_ns() - 10**9)
    count, gauge, record = peer.await_records(3)
    assert (count["event_type"], count["name"], count["value"], count["unit"]) == (
        "metric.count",
        "prefill.tokens",
        512,
        "tokens",
    )
    assert (gauge["value"], gauge["labels"]) == (-3.5, {"pool": "decode"})
    assert wall <= count["wall_ns"] <= wall + 10**9
    assert 0.9e9 < count["wall_ns"] - record["wall_ns"] < 1.5e9


def test_text_that_is_not_unicode_is_sent_with_replacements(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher, publisher.sample(prompt="half \ud83d pair", labels={"k\udc00": "v"}) as sample:
        sample.complete(output=["a", "\udfff"])
    issued, complete = peer.await_records(2)
    assert issued["data"][1] == "half ? pair"
    assert issued["labels"] == {"k?": "v"}
    assert complete["data"][1] == ["a", "?"]


def test_a_value_that_cannot_be_expressed_is_counted_and_its_number_is_missing(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        publisher.gauge("a", 1)
        publisher.gauge("b", 2**64)
        publisher.gauge("c", object())  # type: ignore[arg-type]
        publisher.gauge("d", 4)
        publisher.flush()
        stats = publisher.stats()
    assert [record["seq"] for record in peer.await_records(2)] == [0, 3]
    assert (stats.recorded, stats.sent, stats.rejected) == (4, 2, 2)


def test_a_single_record_travels_under_its_own_topic_within_the_flush_interval(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        publisher.wait_for_subscriber()
        publisher.sample()
        peer.await_records(1)
        assert peer.topics == ["sample.issued"]
        assert publisher.stats().sent == 1


def test_a_batch_goes_out_at_1000_records_or_256_kib_and_with_a_session_event(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        publisher.wait_for_subscriber()
        # Held, the lock keeps the flusher away, so that only the limits cut batches.
        with publisher._outbox._lock:
            sample = publisher.sample()
            for _ in range(999):
                sample.token()
            assert publisher.stats().queued == 0
            for _ in range(3):
                publisher.sample(prompt="x" * 100_000)
            assert publisher.stats().queued == 0
            publisher.sample()
            publisher.session().start()
            assert publisher.stats().queued == 0
    records = peer.await_records(1006)
    assert peer.topics == ["batch", "batch", "batch", "session.start_performance_tracking"]
    assert [record["seq"] for record in records] == list(range(1006))


def test_ids_are_unique_and_given_ones_are_kept(endpoint):
    with Publisher(endpoint) as publisher:
        ids = {publisher.sample().id for _ in range(1000)}
        assert len(ids) == 1000
        assert publisher.sample(id="mine").id == "mine"
        publisher.close(0)


@pytest.mark.parametrize("size", [10, 300, 70_000])
def test_records_of_every_length_are_framed_correctly(endpoint, peers, size: int):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        for _ in range(2):
            publisher.sample(prompt="p" * size)
    assert [len(record["data"][1]) for record in peer.await_records(2)] == [size, size]


def test_the_flusher_sleeps_when_nothing_is_recorded_and_wakes_with_the_next_record(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        publisher.wait_for_subscriber()
        publisher.sample()
        outbox: Any = publisher._outbox
        await_true(lambda: not outbox.awake, "the flusher sleeps")
        publisher.sample()
        peer.await_records(2)


def test_transfers_operations_and_resources_have_the_keys_of_the_protocol(endpoint, peers):
    lists = {"transfer_duration": [0.002], "bytes_transferred": [1024], "num_descriptors": [1], "num_failed_handshakes": [1]}

    class Stats:
        data: ClassVar = lists

    peer = peers(endpoint)
    with Publisher(endpoint, source="rank0") as publisher:
        publisher.wait_for_subscriber()
        publisher.transfer_stats(Stats())
        publisher.operation("store.get", "k1", 1_500_000)
        publisher.operation("store.put_batch", ["k1", "k2"], 2_500_000, ok=False)
        publisher.resource(interval_s=1.0, cpu_pct=(10.0, 50.0), node="node-1", mem_percent=40.5)
        publisher.resource(interval_s=1.0, cpu_pct=None)  # type: ignore[arg-type]
        publisher.operation("store.get", "k1", 1, at="x")  # type: ignore[arg-type]
    stats, one, several, resource, _ = peer.await_records(5)
    assert (stats["event_type"], stats["data"]) == ("transfer.stats", lists)
    assert (one["event_type"], one["name"], one["key"], one["duration_ns"]) == (
        "operation.complete",
        "store.get",
        "k1",
        1_500_000,
    )
    assert (several["keys"], several["ok"]) == (["k1", "k2"], False)
    assert (resource["event_type"], resource["node_id"], resource["cpu_count"]) == ("resource.sample", "node-1", 2)
    assert publisher.stats().rejected == 1, "an operation at no time"
    assert (resource["cpu_pct"], resource["mem_percent"]) == ([10.0, 50.0], 40.5)
    for number, record in enumerate((stats, one, several, resource)):
        assert (record["source_id"], record["seq"]) == ("rank0", number)
        assert abs(record["wall_ns"] - time.time_ns()) < 600e9


def test_samples_and_tools_of_a_job_have_the_keys_of_the_protocol(endpoint, peers):
    peer = peers(endpoint)
    with Publisher(endpoint, source="agent") as publisher:
        publisher.wait_for_subscriber()
        traceparent = f"00-{'a' * 32}-{'b' * 16}-01"
        first = publisher.sample(job_id="j", agent="planner", traceparent=traceparent)
        call = publisher.tool("search", 1_500_000, job_id="j", parents=[first.id], ok=False)
        with request_details(job_id="j", parents=[call], last_of_job=True):
            publisher.sample(**current_details(None))
        publisher.sample(parents=None)  # type: ignore[arg-type]
    issued, tool, last, bare = peer.await_records(4)
    assert (issued["job_id"], issued["agent"]) == ("j", "planner")
    assert issued["traceparent"] == traceparent
    assert "parents" not in issued
    assert "last_of_job" not in issued
    assert (tool["event_type"], tool["job_id"], tool["id"], tool["name"]) == ("tool.complete", "j", call, "search")
    assert (tool["duration_ns"], tool["ok"], tool["parents"]) == (1_500_000, False, [first.id])
    assert (last["job_id"], last["parents"], last["last_of_job"]) == ("j", [call], True)
    assert bare.keys().isdisjoint({"job_id", "parents", "agent", "last_of_job", "traceparent"})


def test_recording_calls_reject_and_count_what_has_no_truth_value_or_is_no_time(endpoint, peers):
    class Array:
        def __bool__(self) -> bool:
            raise ValueError("ambiguous")

    peer = peers(endpoint)
    with Publisher(endpoint) as publisher:
        publisher.wait_for_subscriber()
        for call in (publisher.count, publisher.gauge, publisher.record):
            call("m", 1, at="x")  # type: ignore[arg-type]
            call("m", 1, labels=Array())  # type: ignore[arg-type]
        publisher.sample(labels=Array())  # type: ignore[arg-type]
        publisher.sample(at=1.5)  # type: ignore[arg-type]
        publisher.sample(last_turn=Array(), labels={})  # type: ignore[arg-type]
        publisher.gauge("m", 2, labels={})
        assert publisher.flush()
        assert publisher.stats().rejected == 8
        issued, gauge = peer.await_records(2)
    assert issued["event_type"] == "sample.issued"
    assert "last_turn" not in issued
    assert "labels" not in issued
    assert "labels" not in gauge
