"""Measures what a token event costs the thread that records it.

    python benchmarks/token_event.py [--in-flight N] [--events N] [--repeats N] [--singles]

A subscriber in a process of its own reads everything. Each repeat records the events twice: one chunk of each sample in flight,
then a pause of two flushes, and so on, as in a run, where hardly a sample has two chunks between two flushes; with one sample in
flight without pauses. Printed are percentiles of single calls on the clock, then, of the calls without one, CPU time per event of
the recording thread while it records and of the process (flusher and ZeroMQ included), and the median and least of the repeats.
"""

from __future__ import annotations

import argparse
import multiprocessing
import platform
import statistics
import tempfile
import time
from typing import TYPE_CHECKING

import zmq

from metrics_aggregator import Publisher
from metrics_aggregator._outbox import FLUSH_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.synchronize import Event

    from metrics_aggregator import Sample


def subscribe(address: str, topics: list[bytes], stop: Event) -> None:
    """Read and forget frames until told to stop."""
    context = zmq.Context()
    socket = context.socket(zmq.SUB)
    socket.setsockopt(zmq.RCVHWM, 0)
    for topic in topics:
        socket.setsockopt(zmq.SUBSCRIBE, topic)
    socket.connect(address)
    while not stop.is_set():
        if socket.poll(50):
            socket.recv()
    socket.close(linger=0)
    context.term()


def rounds(samples: list[Sample], events: int) -> Iterator[list[Sample]]:
    """Yield the samples, with pauses between, until they had so many events."""
    for number in range(max(1, events // len(samples))):
        if number:
            time.sleep(2 * FLUSH_SECONDS)
        yield samples


def measure(publisher: Publisher, in_flight: int, events: int) -> dict[str, float]:
    """Record events of samples in flight; return microseconds."""
    samples = [publisher.sample() for _ in range(in_flight)]
    of_round = samples if in_flight > 1 else samples * events
    for sample in samples:
        sample.token()
    clock = time.perf_counter_ns
    times = []
    for each in rounds(of_round, events):
        for sample in each:
            before = clock()
            sample.token()
            times.append(clock() - before)
    thread, process = 0, time.process_time_ns()
    for each in rounds(of_round, events):
        before = time.thread_time_ns()
        for sample in each:
            sample.token()
        thread += time.thread_time_ns() - before
    process = time.process_time_ns() - process
    publisher.flush()
    for sample in samples:
        sample.complete()
    times.sort()
    count = len(times)
    return {
        "p50": times[count // 2] / 1e3,
        "p99": times[count * 99 // 100] / 1e3,
        "p99.9": times[count * 999 // 1000] / 1e3,
        "max": times[-1] / 1e3,
        "thread cpu": thread / count / 1e3,
        "process cpu": process / count / 1e3,
    }


def main() -> None:
    """Print a line for each repeat, their medians and the least."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--in-flight", type=int, default=1000, help="samples in flight; default: 1000")
    parser.add_argument("--events", type=int, default=100_000, help="events of each repeat; default: 100000")
    parser.add_argument("--repeats", type=int, default=10, help="default: 10")
    parser.add_argument("--singles", action="store_true", help="a subscriber that does not read frames of chunks")
    options = parser.parse_args()
    topics = [b""] if options.singles else [b"", b"chunks"]
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    with tempfile.TemporaryDirectory(prefix="ma.") as folder, Publisher(f"ipc://{folder}/events") as publisher:
        reader = context.Process(target=subscribe, args=(f"ipc://{folder}/events", topics, stop))
        reader.start()
        publisher.wait_for_subscriber()
        measure(publisher, options.in_flight, 10_000)
        rows = [measure(publisher, options.in_flight, options.events) for _ in range(options.repeats)]
        stats = publisher.stats()
        stop.set()
        reader.join()
    with open("/proc/loadavg") as load:
        print(f"CPython {platform.python_version()}, libzmq {zmq.zmq_version()}, load {load.read().split()[0]}; microseconds")
    print("  ".join(f"{name:>11}" for name in rows[0]))
    for row in rows:
        print("  ".join(f"{value:11.2f}" for value in row.values()))
    for name, of in (("median", statistics.median), ("least", min)):
        print("  ".join(f"{of(row[key] for row in rows):11.2f}" for key in rows[0]), f" {name}")
    print(f"recorded {stats.recorded}, dropped {stats.dropped}")


if __name__ == "__main__":
    main()
