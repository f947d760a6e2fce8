"""Later chunks in frames: to whom they go, and that they are the records that they stand for."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from metrics_aggregator import Publisher
from metrics_aggregator._chunks import Stream, Streams

from conftest import DaemonProcess, Peer, await_true

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PARTS = (None, "reasoning", "output", "tool_calls")


def numbers(column: bytes, width: int) -> list[int]:
    return [int.from_bytes(column[i : i + width], "little") for i in range(0, len(column), width)]


def expanded(peer: Peer) -> list[dict[str, Any]]:
    """The records of a peer in the order of their frames; each chunk of a frame is the record it stands for."""
    records: list[dict[str, Any]] = []
    handles: dict[int, str] = {}
    for frame in list(peer.frames):
        if not frame.startswith(b"chunks\0"):
            batch = frame.startswith(b"batch\0")
            elements = msgspec.msgpack.decode(frame[40:], type=list[bytes]) if batch else [frame[40:]]
            for each in elements:
                record = msgspec.msgpack.decode(each)
                records.append(record)
                if "handle" in record:
                    handles[record.pop("handle")] = record["sample_uuid"]
            continue
        version, source, life, seq, base, named, offsets, tokens, parts = msgspec.msgpack.decode(frame[40:])
        assert version == 1
        count = len(offsets) // 4
        rows = zip(
            numbers(named, len(named) // count),
            numbers(offsets, 4),
            numbers(tokens, 2) if tokens else [0xFFFF] * count,
            parts or bytes(count),
        )
        for i, (handle, offset, number, part) in enumerate(rows):
            record = {"event_type": "sample.recv_non_first", "timestamp_ns": base + offset, "sample_uuid": handles[handle]}
            if part:
                record["part"] = PARTS[part] if part < len(PARTS) else "rejected"
            if number != 0xFFFF:
                record["tokens"] = number
            records.append({**record, "source_id": source, "seq": seq + i, "life": life})
    return records


def announced(publisher: Publisher) -> None:
    outbox: Any = publisher._outbox
    await_true(lambda: outbox.subscribers() > 0 and outbox._socket.takes_chunks(), "the announcement")


def open_pair(folder: Path, *topics: str) -> tuple[Publisher, Peer]:
    endpoint = f"ipc://{folder}/events"
    publisher = Publisher(endpoint)
    peer = Peer(endpoint, topics=topics)
    publisher.wait_for_subscriber()
    await_true(lambda: publisher._outbox.subscribers() == 1, "the subscription")
    if topics:
        announced(publisher)
    return publisher, peer


def test_frames_stand_for_the_records_in_their_order(folder: Path) -> None:
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    publisher, peer = open_pair(folder, "chunks")
    expected: dict[str, list[tuple[Any, ...]]] = {}
    with publisher, publisher.session():
        begun: list[Any] = []
        for _ in range(600):
            if not begun or chance.random() < 0.1:
                sample = publisher.sample("p")
                begun.append(sample)
                expected[sample.id] = [("sample.issued", None, None)]
            sample = chance.choice(begun)
            told = expected[sample.id]
            if chance.random() < 0.05:
                sample.complete()
                begun.remove(sample)
                told.append(("sample.complete", None, None))
                continue
            part = chance.choice(PARTS) if chance.random() < 0.3 else None
            tokens = chance.randrange(5) if chance.random() < 0.3 else None
            for _ in range(chance.choice((1, 1, 1, 30))):
                kind = "sample.recv_non_first" if sample.received else "sample.recv_first"
                sample.token(part=part, tokens=tokens)
                told.append((kind, part, tokens))
            if chance.random() < 0.05:
                time.sleep(0.012)
        for sample in begun:
            sample.complete()
            expected[sample.id].append(("sample.complete", None, None))
    assert publisher.stats().dropped == publisher.stats().rejected == 0, seed
    total = publisher.stats().recorded
    await_true(lambda: len(expanded(peer)) >= total, "all records")
    peer.close()
    records = expanded(peer)
    assert [each["seq"] for each in records] == list(range(total)), seed
    assert sum(each.startswith("chunks") for each in peer.topics) > 1, seed
    for sample_id, told in expected.items():
        own = [each for each in records if each.get("sample_uuid") == sample_id]
        assert [(each["event_type"], each.get("part"), each.get("tokens")) for each in own] == told, seed
        times = [each["timestamp_ns"] for each in own]
        assert times == sorted(times), seed


def test_single_records_go_to_a_subscriber_that_does_not_announce_frames(folder: Path) -> None:
    publisher, peer = open_pair(folder)
    with publisher:
        sample = publisher.sample("p")
        for _ in range(20):
            sample.token()
        sample.complete()
    assert [each["event_type"] for each in peer.await_records(22)].count("sample.recv_non_first") == 19
    assert all("handle" not in each for each in peer.records)
    peer.close()


def test_a_second_subscriber_without_frames_ends_them_for_open_samples_too(folder: Path) -> None:
    publisher, peer = open_pair(folder, "chunks")
    with publisher:
        sample = publisher.sample("p")
        for _ in range(20):
            sample.token()
        publisher.flush()
        other = Peer(f"ipc://{folder}/events")
        await_true(lambda: publisher._outbox.subscribers() == 2, "two subscribers")
        for _ in range(20):
            sample.token()
        sample.complete()
    assert [each["event_type"] for each in other.await_records(21)] == ["sample.recv_non_first"] * 20 + ["sample.complete"]
    await_true(lambda: len(expanded(peer)) >= 42, "all records")
    peer.close()
    other.close()


def test_values_that_break_a_rule_are_rejected_as_in_single_records(folder: Path) -> None:
    publisher, peer = open_pair(folder, "chunks")
    with publisher:
        sample = publisher.sample("p")
        sample.token()
        with publisher._outbox._lock:  # one frame
            for _ in range(6):
                sample.token(part="other", tokens=-1)  # type: ignore[arg-type]
            publisher.flush()
        await_true(lambda: peer.topics[-1:] == ["chunks"], "a frame")
        columns = msgspec.msgpack.decode(peer.frames[-1][40:])
        assert columns[7] == b"\xfe\xff" * 6
        assert columns[8] == b"\xff" * 6
        for _ in range(6):
            sample.token("soon")  # type: ignore[arg-type]
        sample.token(1 << 70)
        publisher.flush()
        assert publisher.stats().rejected == 7
        sample.token(time.monotonic_ns() - 3_600_000_000_000)
        sample.token()
        sample.complete()
        assert publisher.stats().rejected == 7
        total = publisher.stats().recorded
    await_true(lambda: len(expanded(peer)) >= total - 7, "all others")
    peer.close()


class AppendedMeanwhile(list[Any]):
    """A list to which another thread appends 3 when something is about to be taken from it."""

    def pop(self, index: Any = -1) -> Any:
        self.append(3)
        return super().pop(index)

    def __getitem__(self, index: Any) -> Any:
        taken = super().__getitem__(index)
        self.append(3)
        return taken


@pytest.mark.parametrize("waiting", [[1], [1, 2]])
def test_a_chunk_that_is_appended_while_others_are_taken_is_taken_next(waiting: list[int]) -> None:
    streams = Streams(life=1)
    stream = Stream(0, 1, "s", "", None)
    stream.chunks = AppendedMeanwhile(waiting)
    streams.waiting.append(stream)
    assert streams.take() == ([stream] * len(waiting), waiting, True)
    stream.chunks = list(stream.chunks)
    assert streams.take() == ([stream], [3], True)


def test_a_chunk_wakes_the_flusher(folder: Path) -> None:
    publisher, peer = open_pair(folder, "chunks")
    with publisher:
        sample = publisher.sample()
        sample.token()
        await_true(lambda: not publisher._outbox.awake, "the flusher sleeps")
        sample.token()
        await_true(lambda: len(expanded(peer)) == 3, "the chunk")
        assert peer.topics[-1] == "chunks"
    peer.close()


def test_a_sample_flushes_a_thousand_chunks_itself_if_the_flusher_is_late(folder: Path) -> None:
    publisher, peer = open_pair(folder, "chunks")
    with publisher, publisher._outbox._lock:
        sample = publisher.sample()
        for _ in range(1000):
            sample.token()
        assert publisher.stats().recorded == 2
        sample.token()
        assert publisher.stats().recorded == 1002
    peer.close()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_chunks_of_a_sample_of_the_parent_are_single_records_in_a_forked_child(folder: Path) -> None:
    endpoint = f"ipc://{folder}/daemon"
    peer = Peer(endpoint, bind=True, topics=("chunks",))
    with Publisher(endpoint, connect=True) as publisher:
        publisher.wait_for_subscriber()
        announced(publisher)
        sample = publisher.sample(id="parent's")
        sample.token()
        publisher.flush()
        child = os.fork()
        if child == 0:
            own = publisher.sample(id="child's")
            publisher.wait_for_subscriber()
            announced(publisher)
            own.token()
            for _ in range(3):
                sample.token()
                own.token()
            publisher.flush()
            sample.complete()
            os._exit(publisher.close())
        assert os.waitpid(child, 0)[1] == 0
        await_true(lambda: len(expanded(peer)) == 11, "all records")
    records = expanded(peer)
    parent = records[0]["source_id"]
    theirs = [each for each in records if each["source_id"] != parent]
    assert [each["seq"] for each in theirs] == list(range(9))
    chunks = [each["sample_uuid"] for each in theirs if each["event_type"] == "sample.recv_non_first"]
    assert sorted(chunks) == ["child's"] * 3 + ["parent's"] * 3
    peer.close()


def test_the_daemon_reads_frames_and_counts_their_chunks(endpoint: str, daemons: Callable[..., DaemonProcess]) -> None:
    daemon = daemons("--streaming")
    with Publisher(daemon.events) as publisher:
        publisher.wait_for_subscriber()
        announced(publisher)
        with publisher.session():
            for _ in range(3):
                sample = publisher.sample("p")
                for _ in range(50):
                    sample.token()
                sample.complete()
    final = daemon.final()
    values = {name: metric["value"] for name, metric in final["by_name"].items() if "value" in metric}
    assert values["chunks_received"] == 3 * 49
    assert values["records_received"] == values["records_applied"] == 3 * 52 + 4
    assert final["by_name"]["chunk_delta_ns"]["count"] == 3 * 49
