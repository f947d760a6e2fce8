"""Nothing is lost without being counted: queues, slow and missing subscribers, and the end of a publisher."""

from __future__ import annotations

import random
import threading
import time

import pytest

from metrics_aggregator import NoSubscriberError, Publisher

from conftest import await_true


def missing(records, recorded: int) -> int:
    """Sequence numbers below `recorded` that did not arrive; none arrives twice or out of order."""
    numbers = [record["seq"] for record in records]
    assert all(a < b for a, b in zip(numbers, numbers[1:])), "in order, none twice"
    return recorded - len(numbers)


def test_what_is_recorded_before_the_first_subscriber_waits_for_it(endpoint, peers):
    with Publisher(endpoint) as publisher:
        for _ in range(5000):
            publisher.sample()
        assert publisher.stats().sent == 0
        peer = peers(endpoint)
        assert missing(peer.await_records(5000), 5000) == 0


def test_100000_records_with_a_subscriber_that_stops_for_one_second_lose_nothing(endpoint, peers):
    peer = peers(endpoint, rcvhwm=1)
    with Publisher(endpoint) as publisher:
        publisher.wait_for_subscriber()
        sample = publisher.sample()
        resume = threading.Timer(1, peer.resume)
        for number in range(99_999):
            if number == 20_000:
                peer.pause()
                resume.start()
            sample.token()
        resume.join()
        records = peer.await_records(100_000)
        stats = publisher.stats()
    assert missing(records, 100_000) == 0
    assert (stats.recorded, stats.sent, stats.dropped) == (100_000, 100_000, 0)


def test_with_a_full_queue_the_missing_numbers_are_exactly_the_dropped_records(endpoint, peers):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    peer = peers(endpoint, rcvhwm=1)
    with Publisher(endpoint, max_queue="1MiB") as publisher:
        publisher.wait_for_subscriber()
        peer.pause()
        resume = threading.Timer(1, peer.resume)
        resume.start()
        recorded = 0
        while resume.is_alive() or recorded < 100_000:
            publisher.sample(prompt="x" * chance.randrange(2000))
            recorded += 1
        # After the pause it records and delivers as before.
        await_true(lambda: publisher.stats().queued == 0, "the queue drains")
        publisher.sample(id="last")
        await_true(lambda: any(b"last" in frame for frame in peer.frames[-1:]), "the last record")
        stats = publisher.stats()
        records = peer.records
    assert stats.dropped > 0
    assert stats.recorded == recorded + 1 == stats.sent + stats.dropped
    assert missing(records, stats.recorded) == stats.dropped


def test_a_session_event_finds_room_in_a_full_queue(endpoint, peers):
    with Publisher(endpoint, max_queue=100_000) as publisher:
        while publisher.stats().dropped == 0:
            publisher.sample(prompt="x" * 50_000)
        publisher.session().end()
        peer = peers(endpoint)
        await_true(lambda: "session.ended" in [record["event_type"] for record in peer.records], "session.ended")


def test_no_recording_call_waits_for_a_subscriber_that_does_not_read(endpoint, peers):
    peer = peers(endpoint, rcvhwm=1)
    with Publisher(endpoint, max_queue="1MiB") as publisher:
        publisher.wait_for_subscriber()
        peer.pause()
        sample = publisher.sample()
        longest = 0.0
        for _ in range(200_000):
            before = time.thread_time()
            sample.token()
            longest = max(longest, time.thread_time() - before)
        assert publisher.stats().dropped > 0
        # Time of this thread only: how long the machine ran others does not matter here.
        assert longest < 0.05
        peer.resume()


def test_records_wait_while_the_subscriber_is_away(endpoint, peers):
    first = peers(endpoint)
    with Publisher(endpoint) as publisher:
        publisher.wait_for_subscriber()
        publisher.sample(id="one")
        first.await_records(1)
        first.close()
        await_true(lambda: publisher.stats().subscribers == 0, "the subscriber left")
        for _ in range(3000):
            publisher.sample()
        second = peers(endpoint)
        assert missing(second.await_records(3000), 3001) == 1


def test_a_connecting_publisher_counts_one_subscriber_after_it_reconnected(folder, peers):
    address = f"ipc://{folder}/daemon"
    with Publisher(address, connect=True) as publisher:
        for _ in range(2):
            peer = peers(address, bind=True)
            publisher.sample()
            await_true(lambda peer=peer: peer.frames, "a record")
            assert publisher.stats().subscribers == 1
            peer.close()


def test_a_second_subscriber_receives_the_same_records(endpoint, peers):
    both = [peers(endpoint), peers(endpoint)]
    with Publisher(endpoint) as publisher:
        await_true(lambda: publisher.stats().subscribers == 2, "two subscribers")
        for _ in range(2000):
            publisher.sample()
        for peer in both:
            assert missing(peer.await_records(2000), 2000) == 0


def test_close_returns_what_no_subscriber_took(endpoint):
    publisher = Publisher(endpoint)
    for _ in range(2500):
        publisher.sample()
    assert publisher.close(timeout=0.05) == 2500
    stats = publisher.stats()
    assert (stats.recorded, stats.sent, stats.queued, stats.dropped) == (2500, 0, 0, 2500)
    assert publisher.close() == 2500


def test_close_returns_at_least_what_a_subscriber_that_stopped_reading_did_not_take(endpoint, peers):
    peer = peers(endpoint, rcvhwm=1)
    publisher = Publisher(endpoint)
    publisher.wait_for_subscriber()
    peer.pause()
    for _ in range(3000):
        publisher.sample(prompt="x" * 10_000)
    left = publisher.close(timeout=0.2)
    assert 0 < left <= 3000
    peer.resume()
    await_true(lambda: left + len(peer.records) >= 3000, "what arrived and what was left are all records")


def test_records_after_close_are_counted_as_dropped(endpoint):
    publisher = Publisher(endpoint)
    sample = publisher.sample()
    publisher.close(timeout=0)
    sample.complete()
    publisher.session().start()
    assert publisher.stats().dropped == 4


def test_waiting_for_a_subscriber_ends_with_the_timeout(endpoint):
    with Publisher(endpoint) as publisher:
        with pytest.raises(NoSubscriberError, match=r"No daemon subscribed to bind:ipc://.* within 0.05 s"):
            publisher.wait_for_subscriber(timeout=0.05)
        with pytest.raises(TimeoutError):
            publisher.wait_for_subscriber(timeout=0)


def test_a_flush_without_subscriber_ends_with_the_timeout(endpoint, peers):
    with Publisher(endpoint) as publisher:
        assert publisher.flush(0)
        publisher.sample()
        assert not publisher.flush(0.02)
        peer = peers(endpoint)
        assert publisher.flush(30)
        peer.await_records(1)


def test_losses_are_logged_at_most_once_a_minute(endpoint, caplog):
    with Publisher(endpoint, max_queue=1000) as publisher:
        for _ in range(2):
            before = publisher.stats().dropped
            while publisher.stats().dropped <= before + 10:
                publisher.sample(prompt="x" * 300_000)
            await_true(lambda: caplog.records, "a warning")
        publisher.close(0)
    assert len(caplog.records) == 1
    assert caplog.records[0].getMessage().startswith("records lost dropped=")


def test_a_long_queue_drains_in_turns_so_that_recording_threads_get_theirs(endpoint, peers):
    with Publisher(endpoint) as publisher:
        outbox = publisher._outbox
        with outbox._lock:  # the flusher waits for it
            for _ in range(20):
                publisher.sample(prompt="x" * 300_000)
            peer = peers(endpoint)
            await_true(lambda: outbox.subscribers(), "a subscriber")
            assert outbox._send() is True
            assert len(outbox._queue) == 16
            publisher.sample(prompt="x" * 300_000)
            assert len(outbox._queue) == 15
        assert publisher.flush(30)
        assert missing(peer.await_records(21), 21) == 0
