"""Rows D: memory, time, and other resources of a process."""

import os
import pathlib
import signal
import subprocess
import time

from harness import (
    Daemon,
    Producer,
    Skipped,
    Subscriber,
    counters,
    end_frame,
    require,
    require_balanced,
    require_root,
    row,
    sample_batch,
    start_frames,
    until,
    workplace,
)


@row("D2", "a control group of 160 MB; the journal after an out-of-memory kill", root=True)
def memory_group(size):
    require_root()
    base = pathlib.Path("/sys/fs/cgroup/memory")
    if not base.is_dir():
        raise Skipped("needs cgroup v1 memory")
    group = base / "faults"
    try:
        group.mkdir(exist_ok=True)
        (group / "memory.limit_in_bytes").write_text("160M")
    except OSError as e:
        raise Skipped(f"cannot make a memory group: {e}") from None
    try:
        join = ["sh", "-c", f'echo $$ > {group}/cgroup.procs; exec "$@"', "sh"]
        with workplace() as folder:
            with Daemon(folder, "--journal", f"{folder}/journal", wrapper=join) as daemon, Producer(
                daemon.endpoint, linger=0
            ) as producer, Subscriber(daemon.metrics) as subscriber:
                producer.send(*start_frames())
                sent = 0
                for _ in range(300):
                    producer.send(sample_batch(range(sent, sent + 200)))
                    sent += 200
                until(lambda: subscriber.counter("total_samples_completed") >= sent or daemon.process.poll() is not None,
                      "the samples", 60)
                peak = int((group / "memory.max_usage_in_bytes").read_text())
                killed = daemon.process.poll() is not None
                shown = subscriber.counter("total_samples_completed")
                daemon.kill()
            with Daemon(folder, "--journal", f"{folder}/journal") as daemon:
                daemon.signal(signal.SIGTERM)
                require(daemon.wait() == 0, daemon.text())
                require(counters(daemon.final())["total_samples_completed"] >= shown, "the journal lost samples that a snapshot had shown")
        return {"samples": sent, "peak_mib": peak >> 20, "killed_for_memory": int(killed), "shown_and_lost": 0}
    finally:
        try:
            group.rmdir()
        except OSError:
            pass


@row("D3", "a process stopped for ten seconds, and one limited to a fifth of a core")
def stopped(size):
    pause = 4 if size == "quick" else 10
    with workplace() as folder, Daemon(folder, "--stall-timeout", "2s") as daemon, Producer(
        daemon.endpoint
    ) as producer, Subscriber(daemon.metrics) as subscriber:
        producer.send(*start_frames(), sample_batch(range(100)))
        until(lambda: subscriber.counter("total_samples_completed") >= 100, "the first samples")
        before = subscriber.counter("ticks_published")
        daemon.signal(signal.SIGSTOP)
        for i in range(100, 5100, 100):
            producer.send(sample_batch(range(i, i + 100)))
        time.sleep(pause)
        daemon.signal(signal.SIGCONT)
        start = time.monotonic()
        until(lambda: subscriber.counter("total_samples_completed") >= 5100, "samples sent during the pause")
        after = subscriber.counter("ticks_published") - before
        allowed = (time.monotonic() - start) / 0.05 + 3
        require(after <= allowed + 1, f"{after} ticks after the pause, at most {allowed:.0f} were due")
        require(daemon.process.poll() is None, "the daemon mistook the pause for a stall")
        producer.send(end_frame())
        require(daemon.wait() == 0, daemon.text())
        require(require_balanced(daemon.final())["total_samples_completed"] == 5100, "samples are missing")
    return {"seconds_stopped": pause, "ticks_to_catch_up": max(0, int(after - allowed)), "samples_lost": 0}


@row("D4", "the wall clock set forward and back by hours and years")
def wall_clock(size):
    library = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if library is None:
        raise Skipped("needs libfaketime")
    with workplace() as folder:
        shift = pathlib.Path(folder) / "shift"
        shift.write_text("+0\n")
        env = {
            "LD_PRELOAD": str(library),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            # Without this option timed waits return at once and every JVM spins (libfaketime 0.9.10).
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_TIMESTAMP_FILE": str(shift),
        }
        with Daemon(folder, env=env) as daemon, Producer(daemon.endpoint) as producer, Subscriber(daemon.metrics) as subscriber:
            producer.send(*start_frames(), sample_batch(range(100)))
            until(lambda: subscriber.counter("total_samples_completed") >= 100, "the first samples")
            skipped = subscriber.counter("ticks_skipped")
            seen, start = subscriber.seen, time.monotonic()
            steps = [3600, -3600, 315360000, -315360000] * (2 if size == "quick" else 5)
            due, looked = 0.0, start
            for step in steps:
                shift.write_text(f"{step:+d}\n")
                end = time.monotonic() + 0.5
                while looked < end:
                    snapshot = subscriber.poll(20)
                    now = time.monotonic()
                    # A daemon whose snapshots cost too much lengthens the interval, and says so.
                    due += (now - looked) * 1e9 / snapshot[6]["self"]["tick_interval_ns"]
                    looked = now
            missed = subscriber.counter("ticks_skipped") - skipped
            # A busy machine skips ticks, which says so; a clock that misleads the ticks does not.
            share = (subscriber.seen - seen + missed) / due
            rate = (subscriber.seen - seen + missed) / (looked - start)
            producer.send(end_frame())
            require(daemon.wait() == 0, daemon.text())
        require(0.75 < share < 1.25, f"{share:.2f} of the snapshots that were due, skipped ones included")
    return {"steps": len(steps), "snapshots_per_second": round(rate, 1), "ticks_skipped": missed}


@row("D5", "standard output and error blocked, full or closed")
def outputs(size):
    cases = 0
    for kind in ("blocked", "full", "closed"):
        with workplace() as folder:
            options = {}
            keep = []
            wrapper = ()
            if kind == "blocked":
                reading, writing = os.pipe()
                os.set_blocking(writing, False)
                try:
                    while True:
                        os.write(writing, b"x" * 65536)
                except BlockingIOError:
                    pass
                os.set_blocking(writing, True)
                options = {"stdout": writing, "stderr": writing}
                keep = [reading, writing]
            elif kind == "full":
                target = os.open("/dev/full", os.O_WRONLY)
                options = {"stdout": target, "stderr": target}
                keep = [target]
            else:
                wrapper = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]
            with Daemon(folder, "--verbose", wrapper=wrapper, **options) as daemon, Producer(daemon.endpoint) as producer:
                producer.send(*start_frames())
                # Each malformed record would log a line without the limit.
                for i in range(200):
                    producer.send(b"error.generic".ljust(40, b"\0") + b"\xc1", sample_batch(range(i * 10, i * 10 + 10)))
                producer.send(end_frame())
                require(daemon.wait() == 0, f"{kind}: status {daemon.process.returncode}")
                totals = require_balanced(daemon.final())
                require(totals["total_samples_completed"] == 2000, f"{kind}: samples are missing")
                require(totals["records_malformed"] == 200, f"{kind}: {totals['records_malformed']} malformed")
                cases += 1
            for each in keep:
                os.close(each)
    return {"cases": cases, "samples_lost": 0}


@row("D7", "sustained load: memory and descriptors stay constant")
def soak(size):
    seconds = {"quick": 20, "full": 600, "soak": 24 * 3600}[size]
    with workplace() as folder, Daemon(
        folder, "--max-values-memory", "4m", env={"METRICS_AGGREGATOR_JAVA_OPTS": "-Xmx64m"}
    ) as daemon, Producer(
        daemon.endpoint
    ) as producer, Subscriber(daemon.metrics) as subscriber:
        producer.send(*start_frames())
        sent = 0
        begin = time.monotonic()
        third = descriptors = 0
        while (now := time.monotonic() - begin) < seconds:
            producer.send(sample_batch(range(sent, sent + 500)))
            sent += 500
            subscriber.poll()
            # Sends 50,000 records per second.
            time.sleep(max(0, begin + sent * 4 / 50_000 - time.monotonic()))
            if not third and now > seconds / 3:
                third, descriptors = daemon.resident_bytes(), daemon.descriptors()
        grown = daemon.resident_bytes() - third
        opened = daemon.descriptors() - descriptors
        producer.send(end_frame(sent))
        require(daemon.wait() == 0, daemon.text())
        totals = require_balanced(daemon.final())
        require(totals["total_samples_completed"] == sent, f"{totals['total_samples_completed']} of {sent} samples")
        hours = seconds * 2 / 3 / 3600
        # Short runs include warm-up; the goal over hours is less than 4 MB per hour.
        require(grown < max(32 << 20, hours * (4 << 20)), f"memory grew by {grown >> 20} MiB")
        require(opened <= 2, f"{opened} additional descriptors")
    return {
        "seconds": seconds,
        "records": 4 * sent,
        "records_lost": 0,
        "memory_grown_mib": round(grown / (1 << 20), 1),
        "descriptors_more": opened,
    }
