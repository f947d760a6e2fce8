"""Measures what a token event costs the thread that records it.

    python benchmarks/token_event.py [--events N] [--repeats N] [--singles]

A subscriber in a process of its own reads everything. Each repeat records N events one after the other, twice. Printed are the
percentiles of single calls on the clock, then, of the calls without one, the CPU time of the recording thread and of the process
per event (flusher and ZeroMQ included), and the least of all repeats: on a busy machine, the one that others disturbed least.
"""

from __future__ import annotations

import argparse
import multiprocessing
import platform
import tempfile
import time
from typing import TYPE_CHECKING

import zmq

from metrics_aggregator import Publisher

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event


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


def measure(publisher: Publisher, events: int) -> dict[str, float]:
    """Record events of one sample; return microseconds."""
    sample = publisher.sample()
    clock = time.perf_counter_ns
    times = [0] * events
    for number in range(events):
        before = clock()
        sample.token()
        times[number] = clock() - before
    thread, process = time.thread_time_ns(), time.process_time_ns()
    for _ in range(events):
        sample.token()
    thread, process = time.thread_time_ns() - thread, time.process_time_ns() - process
    publisher.flush()
    sample.complete()
    times.sort()
    return {
        "p50": times[events // 2] / 1e3,
        "p99": times[events * 99 // 100] / 1e3,
        "p99.9": times[events * 999 // 1000] / 1e3,
        "max": times[-1] / 1e3,
        "thread cpu": thread / events / 1e3,
        "process cpu": process / events / 1e3,
    }


def main() -> None:
    """Print one line for each repeat and the least of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
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
        measure(publisher, 10_000)
        rows = [measure(publisher, options.events) for _ in range(options.repeats)]
        stats = publisher.stats()
        stop.set()
        reader.join()
    with open("/proc/loadavg") as load:
        print(f"CPython {platform.python_version()}, libzmq {zmq.zmq_version()}, load {load.read().split()[0]}; microseconds")
    print("  ".join(f"{name:>11}" for name in rows[0]))
    for row in rows:
        print("  ".join(f"{value:11.2f}" for value in row.values()))
    print("  ".join(f"{min(row[name] for row in rows):11.2f}" for name in rows[0]), " least")
    print(f"recorded {stats.recorded}, dropped {stats.dropped}")


if __name__ == "__main__":
    main()
