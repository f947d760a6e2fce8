"""Rows D: resource limits of the process, and a suspended machine."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

from harness import (
    LAUNCHER,
    Daemon,
    Producer,
    Skipped,
    Subscriber,
    end_frame,
    free_port,
    require,
    require_balanced,
    require_tool,
    row,
    sample_batch,
    start_frames,
    until,
    workplace,
)

PATIENCE = 40


def limited_start(folder, wrapper, output):
    """Starts a daemon under a limit; returns its status, its output and whether it became ready. Never waits without a timeout."""
    command = [*wrapper, str(LAUNCHER), "run", "--in", f"bind:ipc://{folder}/events", "--output-dir", str(output)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env={**os.environ, "METRICS_AGGREGATOR_NO_BUILD": "1"}, start_new_session=True,
                               # A JVM that crashes writes its reports to the working directory.
                               cwd=folder)
    ready = pathlib.Path(output) / ".ready"
    end = time.monotonic() + PATIENCE
    while process.poll() is None and not ready.exists() and time.monotonic() < end:
        time.sleep(0.05)
    started = process.poll() is None and ready.exists()
    if started:
        process.terminate()
    try:
        printed = process.communicate(timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "hung", b"", started
    return process.returncode, printed, started


def require_clear(limit, status, printed, started, final):
    """Checks that a daemon under a limit either works or names the reason; never success without a file."""
    text = printed.decode(errors="replace")[-1500:]
    require(status != "hung", f"{limit}: it hung")
    if started and status == 0:
        require(final.exists(), f"{limit}: success without a file: {text}")
        return "worked"
    require(status != 0, f"{limit}: status 0, but it was never ready: {text}")
    require(len(printed.strip()) > 0, f"{limit}: status {status} without a message")
    return "refused"


@row("D8", "low limits of threads, descriptors, address space and file size")
def process_limits(size):
    require_tool("prlimit")
    figures = {}

    def attempt(limit, *wrapper, owner=None):
        with workplace() as folder:
            if owner:
                shutil.chown(folder, owner, owner)
            output = pathlib.Path(folder) / "out"
            status, printed, started = limited_start(folder, wrapper, output)
            outcome = require_clear(limit, status, printed, started, output / "final_snapshot.json")
            figures[outcome] = figures.get(outcome, 0) + 1
            return outcome

    for descriptors in (20, 40, 80, 96) if size == "quick" else range(10, 130, 5):
        attempt(f"{descriptors} descriptors", "prlimit", f"--nofile={descriptors}:{descriptors}")
    for mebibytes in (200, 1000, 4000) if size == "quick" else (100, 200, 400, 800, 1200, 1600, 2000, 3000, 4000, 8000):
        attempt(f"{mebibytes} MiB of address space", "prlimit", f"--as={mebibytes << 20}")
    # Limits on threads do not apply to root.
    if os.geteuid() == 0 and shutil.which("setpriv") and readable_by_others():
        user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        for threads in (5, 12, 18, 200) if size == "quick" else (2, 3, 5, 8, 10, 12, 14, 16, 18, 20, 22, 25, 30, 200):
            attempt(f"{threads} threads", *user, "prlimit", f"--nproc={threads}:{threads}", owner=65534)
        figures["threads_limited"] = 1
    figures.update(small_files())
    figures.update(few_descriptors())
    return figures


def readable_by_others():
    return subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "test", "-r", str(LAUNCHER)]).returncode == 0


def small_files():
    """Limits files to 4 KiB: expects status 5, the snapshot on standard output, and journal errors in its counters."""
    with workplace() as folder:
        output = pathlib.Path(folder) / "printed"
        reading, writing = os.pipe()
        log_reading, log_writing = os.pipe()
        reader = subprocess.Popen(["cat"], stdin=reading, stdout=open(output, "wb"))
        log_path = pathlib.Path(folder) / "err"
        logger = subprocess.Popen(["cat"], stdin=log_reading, stdout=open(log_path, "wb"))
        os.close(reading)
        os.close(log_reading)
        with Daemon(folder, "--journal", f"{folder}/journal", wrapper=["prlimit", "--fsize=4096"], stdout=writing, stderr=log_writing,
                    env={"METRICS_AGGREGATOR_NO_CDS": "1"}) as daemon:
            os.close(writing)
            os.close(log_writing)
            with Producer(daemon.endpoint) as producer:
                producer.send(*start_frames(), *(sample_batch(range(i, i + 10)) for i in range(0, 1000, 10)), end_frame())
                status = daemon.wait()
            reader.wait(20)
            logger.wait(20)
            log = log_path.read_text(errors="replace")
            require(status == 5, f"files of 4 KiB: status {status}: {log[-2000:]}")
            require("step" in log, f"the message names no step: {log[-2000:]}")
            printed = json.loads(output.read_bytes())
            totals = require_balanced(printed)
            require(totals["total_samples_completed"] == 1000, "the printed snapshot lacks samples")
            require(totals["journal_errors"] > 0, "no journal error was counted")
    return {"small_files_status": status, "journal_errors": totals["journal_errors"]}


def few_descriptors():
    """Uses 144 descriptors and more publishers than that: a subscriber still connects, and the file is written."""
    with workplace() as folder, Daemon(folder, "--journal", f"{folder}/journal", "--prometheus", str(free_port()),
                                       wrapper=["prlimit", "--nofile=144:144"]) as daemon:
        producers = []
        with Producer(daemon.endpoint) as first:
            first.send(*start_frames(), sample_batch(range(100)))
            for _ in range(150):
                producers.append(Producer(daemon.endpoint, wait=False, linger=0))
            end = time.monotonic() + 5
            while time.monotonic() < end and daemon.descriptors() < 100:
                time.sleep(0.05)
            held = daemon.descriptors()
            with Subscriber(daemon.metrics) as late:
                until(lambda: late.counter("total_samples_completed") >= 100, f"a late subscriber with {held} descriptors held", 15)
            first.send(end_frame())
            require(daemon.wait() == 0, daemon.text())
            require_balanced(daemon.final())
        for each in producers:
            each.close()
    return {"descriptors_held_of_144": held}


@row("D9", "system suspend and resume: everything stops, the wall clock is hours later")
def suspended(size):
    library = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if library is None:
        raise Skipped("needs libfaketime")
    times = {"quick": 2, "full": 10, "soak": 100}[size]
    with workplace() as folder:
        shift = pathlib.Path(folder) / "shift"
        shift.write_text("+0\n")
        env = {
            "LD_PRELOAD": str(library),
            # The monotonic clock stops while a machine is suspended.
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_TIMESTAMP_FILE": str(shift),
        }
        flags = ["--stall-timeout", "2s", "--host", "--host-interval", "200ms", "--journal", f"{folder}/journal"]
        with Daemon(folder, *flags, env=env) as daemon, Producer(daemon.endpoint) as producer, Subscriber(daemon.metrics) as subscriber:
            producer.send(*start_frames(), sample_batch(range(100)))
            until(lambda: subscriber.counter("total_samples_completed") >= 100, "the first samples")
            sent, burst = 100, 0
            for number in range(1, times + 1):
                before = subscriber.counter("ticks_published")
                daemon.signal(signal.SIGSTOP)
                time.sleep(2.5)
                shift.write_text(f"+{number * 8}h\n")
                producer.send(sample_batch(range(sent, sent + 100)))
                sent += 100
                daemon.signal(signal.SIGCONT)
                start = time.monotonic()
                until(lambda: subscriber.counter("total_samples_completed") >= sent, "samples after the resume")
                burst = max(burst, subscriber.counter("ticks_published") - before - (time.monotonic() - start) / 0.05)
                require(daemon.process.poll() is None, f"the daemon ended at the resume: {daemon.text()}")
            producer.send(end_frame())
            require(daemon.wait() == 0, daemon.text())
            final = daemon.final()
            totals = require_balanced(final)
            require(totals["total_samples_completed"] == sent, "samples are missing")
            require(totals["peers_stalled"] == 0 and totals["peers_timed_out"] == 0, "peers were closed because of the pause")
            require(burst < 5, f"a burst of {burst:.0f} ticks")
    return {"resumes": times, "hours_jumped": times * 8, "samples_lost": 0, "ticks_in_a_burst": max(0, round(burst))}
