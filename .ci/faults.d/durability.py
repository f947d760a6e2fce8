"""Rows A: durability of the final file and of the journal."""

import errno
import os
import pathlib
import re
import signal
import subprocess
import time

from harness import (
    Daemon,
    Failed,
    Producer,
    Subscriber,
    counters,
    encode,
    end_frame,
    frame,
    golden_frames,
    record,
    require,
    require_balanced,
    require_root,
    require_tool,
    row,
    sample_batch,
    seeded,
    shim,
    start_frames,
    until,
    workplace,
)

TEMPORARY = ".final_snapshot.json."
NOT_DURABLE = 5


def run_golden(daemon):
    """Runs the smallest golden case through the daemon; returns the exit status."""
    with Producer(daemon.endpoint) as producer:
        producer.send(*golden_frames("01_minimal"))
    return daemon.wait()


def is_whole(daemon):
    return daemon.has_final() and daemon.final()["state"] == "complete"


def leftovers(daemon):
    return [each.name for each in daemon.output.iterdir() if each.name.startswith(TEMPORARY)]


@row("A1", "each call of the final write fails, once and permanently, with each errno")
def each_call_fails(size):
    part = f"out/{TEMPORARY}"
    calls = [("open", part), ("write", part), ("fsync", part), ("close", part)]
    calls += [("rename", "out/final_snapshot.json"), ("fsync", "out$")]
    errors = ["EIO", "ENOSPC", "EDQUOT", "EACCES", "EMFILE", "EROFS"] if size != "quick" else ["EIO", "ENOSPC"]
    cases = refused = written = 0
    for call, path in calls:
        for error in errors:
            for count in (1, 0):
                with workplace() as folder:
                    env = {
                        **shim(),
                        "FAULT_OP": call,
                        "FAULT_PATH": f"{folder}/{path}",
                        "FAULT_ERRNO": str(getattr(errno, error)),
                        "FAULT_COUNT": str(count),
                    }
                    with Daemon(folder, env=env) as daemon:
                        status = run_golden(daemon)
                        cases += 1
                        where = f"{call} {path} {error} {'once' if count else 'always'}"
                        if status == 0:
                            require(is_whole(daemon), f"{where}: success without a complete file")
                            written += 1
                        else:
                            require(status == NOT_DURABLE, f"{where}: status {status}: {daemon.text()}")
                            require("step" in daemon.text(), f"{where}: the message names no step: {daemon.text()}")
                            refused += 1
                        require(not leftovers(daemon), f"{where}: left {leftovers(daemon)}")
                        if daemon.has_final():
                            daemon.final()
    return {"cases": cases, "silent_successes": 0, "status_5": refused, "written_in_spite": written}


@row("A2", "kill -9 before each call of the final write")
def killed_at_each_call(size):
    part = f"out/{TEMPORARY}"
    calls = [("open", part), ("write", part), ("fsync", part), ("close", part)]
    calls += [("rename", "out/final_snapshot.json"), ("fsync", "out$")]
    points = whole = 0
    for call, path in calls:
        with workplace() as folder:
            env = {**shim(), "FAULT_OP": call, "FAULT_DO": "kill"}
            env["FAULT_PATH"] = f"{folder}/{path}"
            with Daemon(folder, env=env) as daemon:
                status = run_golden(daemon)
                require(status != 0, f"not killed at {call} {path}")
                points += 1
                if daemon.has_final():
                    require(is_whole(daemon), f"killed at {call} {path}: an incomplete file")
                    whole += 1
                require(daemon.has_final() == (path == "out$"), f"killed at {call} {path}, there is {'a' if daemon.has_final() else 'no'} file")
            with Daemon(folder) as again:
                require(not leftovers(again), f"the next start left {leftovers(again)}")
                require(run_golden(again) == 0 and is_whole(again), "the next run has no file")
    return {"points": points, "bad": 0, "whole_file_already": whole}


# ---------------------------------------------------------------- power failures, by enumeration


def trace_of_final_write(folder):
    """Returns the system calls of the final write as (call, argument) in order, from strace."""
    require_tool("strace")
    trace = pathlib.Path(folder) / "trace"
    wrapper = ["strace", "-f", "-qq", "-y", "-o", str(trace), "-e", "trace=openat,write,fsync,rename,close"]
    with Daemon(folder, tcp=True, wrapper=wrapper) as daemon:
        require(run_golden(daemon) == 0, f"the run failed: {daemon.text()}")
    steps = []
    for line in trace.read_text(errors="replace").splitlines():
        if re.search(r'openat\(.*final_snapshot\.json\.[0-9a-f]{16}\.tmp".*O_CREAT', line):
            steps.append("create")
        elif match := re.search(r"write\(\d+<[^>]*final_snapshot[^>]*\.tmp>, .*, (\d+)(?:\)| <unfinished)", line):
            steps.append(f"write {match.group(1)}")
        elif re.search(r"fsync\(\d+<[^>]*\.tmp>", line):
            steps.append("sync file")
        elif re.search(r'rename\("[^"]*\.tmp", "[^"]*/final_snapshot\.json"', line):
            steps.append("rename")
        elif re.search(rf"fsync\(\d+<{re.escape(str(daemon.output))}>", line):
            steps.append("sync directory")
    require("rename" in steps, f"no final write in the trace: {steps}")
    size = (daemon.output / "final_snapshot.json").stat().st_size
    seen = sum(int(step.split()[1]) for step in steps if step.startswith("write"))
    require(seen == size, f"{seen} of {size} bytes are in the trace")
    return steps


def crash_states(steps, old):
    """
    The possible contents of the disk after a power failure behind each prefix of the steps (after ALICE): unsynced bytes may be present
    in part, unsynced names may be the old or the new ones, in any combination. Yields (steps done, content of the final name):
    "old", "new", "absent", or "torn".
    """
    for done in range(len(steps) + 1):
        size = synced = 0
        named = directory_synced = False
        for step in steps[:done]:
            if step.startswith("write"):
                size += int(step.split()[1])
            elif step == "sync file":
                synced = size
            elif step == "rename":
                named = True
            elif step == "sync directory":
                directory_synced = named
        total = sum(int(step.split()[1]) for step in steps if step.startswith("write"))
        lengths = {synced, size, *range(synced, size + 1, max(1, (size - synced) // 8))}
        for length in sorted(lengths):
            content = "new" if length == total and size == total else "torn"
            if named and directory_synced:
                yield done, content
            elif named:
                yield done, content
                yield done, "old" if old else "absent"
            else:
                yield done, "old" if old else "absent"


def bad_states(steps, old):
    states = list(crash_states(steps, old))
    bad = [state for state in states if state[1] == "torn"]
    # The daemon reports success after the last step.
    bad += [state for state in states if state[0] == len(steps) and state[1] != "new"]
    return len(states), len(bad)


@row("A3", "power failure at each point of the final write, by enumerating possible disk contents")
def power_cuts(size):
    with workplace() as folder:
        steps = trace_of_final_write(folder)
    states = bad = 0
    for old in (False, True):
        some, wrong = bad_states(steps, old)
        states += some
        bad += wrong
    require(bad == 0, f"{bad} of {states} states are bad: {steps}")
    mutants = {}
    for missing in ("sync file", "sync directory"):
        without = [step for step in steps if step != missing]
        mutants[missing] = bad_states(without, True)[1]
        require(mutants[missing] > 0, f"without '{missing}' no bad state is found: the enumeration detects nothing")
    return {"states": states, "bad": 0, "bad_without_sync_of_file": mutants["sync file"], "bad_without_sync_of_directory": mutants["sync directory"]}


@row("A4", "fsync fails once and then succeeds: ext4 on a full disk", root=True)
def fsyncgate(size):
    require_root()
    require_tool("mkfs.ext4")
    runs = 3 if size == "quick" else 20
    refused = 0
    for _ in range(runs):
        with workplace() as folder:
            folder = pathlib.Path(folder)
            backing, mounted = folder / "backing", folder / "mounted"
            backing.mkdir()
            mounted.mkdir()
            mount("-t", "tmpfs", "-o", "size=2m", "tmpfs", backing)
            try:
                subprocess.run(["truncate", "-s", "64m", backing / "img"], check=True)
                subprocess.run(["mkfs.ext4", "-q", "-O", "^has_journal", backing / "img"], check=True)
                mount("-o", "loop", backing / "img", mounted)
                try:
                    output = mounted / "out"
                    output.mkdir(mode=0o700)
                    with Daemon(folder, output=output) as daemon:
                        # The backing disk is full from here on, which the file system on top of it does not know.
                        with open(backing / "fill", "wb") as fill:
                            try:
                                while True:
                                    fill.write(b"\0" * 65536)
                                    fill.flush()
                            except OSError:
                                pass
                        status = run_golden(daemon)
                        if status == 0:
                            subprocess.run(["sh", "-c", "echo 3 > /proc/sys/vm/drop_caches"], check=False)
                            content = (output / "final_snapshot.json").read_bytes()
                            require(content.startswith(b"{") and content.rstrip().endswith(b"}"), "the file is incomplete")
                        else:
                            require(status == NOT_DURABLE, f"status {status}: {daemon.text()}")
                            refused += 1
                finally:
                    unmount(mounted)
            finally:
                unmount(backing)
    return {"runs": runs, "status_5": refused, "called_durable_and_unreadable": 0}


def mount(*arguments):
    done = subprocess.run(["mount", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        from harness import Skipped

        raise Skipped(f"cannot mount here: {done.stderr.strip()}")


def unmount(path):
    for _ in range(50):
        if subprocess.run(["umount", str(path)], capture_output=True).returncode == 0:
            return
        time.sleep(0.1)
    subprocess.run(["umount", "-l", str(path)], check=False)


@row("A5", "the journal's disk is temporarily full", root=True)
def journal_disk_full(size):
    require_root()
    with workplace() as folder:
        folder = pathlib.Path(folder)
        small = folder / "small"
        small.mkdir()
        mount("-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", small)
        try:
            with Daemon(folder, "--journal", str(small / "journal")) as daemon, Producer(daemon.endpoint) as producer, Subscriber(
                daemon.metrics
            ) as subscriber:
                producer.send(*start_frames())
                number = 0

                def send(samples):
                    nonlocal number
                    for _ in range(samples // 100):
                        producer.send(sample_batch(range(number, number + 100)))
                        number += 100
                    wanted = 2 + 4 * number
                    until(lambda: subscriber.counter("records_received") >= wanted, f"{wanted} records")

                send(500)
                require(subscriber.counter("journal_errors") == 0, "an error before the disk was full")
                # Packed, 5,000 samples take more than what is left.
                space = os.statvfs(small)
                (small / "fill").write_bytes(b"\0" * (space.f_bavail * space.f_frsize - (40 << 10)))
                send(5000)
                errors = until(lambda: subscriber.counter("journal_errors"), "an error is counted")
                lost = until(lambda: subscriber.counter("journal_frames_missed"), "frames are counted as not journalled")
                (small / "fill").unlink()
                for each in (small / "journal").glob("run-*/*.journal"):
                    # Delete the oldest segment to free space, as an operator would.
                    if each.name == "segment-00000001.journal":
                        each.unlink()
                before = subscriber.counter("journal_bytes")

                def resumes():
                    # The daemon retries once a second.
                    send(100)
                    return subscriber.counter("journal_bytes") > before

                until(resumes, "the journal resumes")
                producer.send(end_frame())
                require(daemon.wait() == 0, f"the run failed: {daemon.text()}")
                totals = require_balanced(daemon.final())
                require(totals["total_samples_completed"] == number, "samples are missing")
        finally:
            unmount(small)
    return {"samples": number, "samples_lost": 0, "journal_errors": errors, "frames_not_in_journal": lost, "resumed": 1}


@row("A6", "a disk that reports writes it did not make")
def lying_disk(size):
    with workplace() as folder:
        env = {**shim(), "FAULT_OP": "write", "FAULT_PATH": f"{folder}/out/{TEMPORARY}", "FAULT_DO": "lie"}
        env["FAULT_COUNT"] = "0"
        with Daemon(folder, env=env) as daemon:
            status = run_golden(daemon)
            require(status == NOT_DURABLE, f"status {status}: {daemon.text()}")
            require(not daemon.has_final(), "half a file was left")
    with workplace() as folder:
        env = {**shim(), "FAULT_OP": "write", "FAULT_PATH": f"{folder}/out/{TEMPORARY}", "FAULT_DO": "short"}
        env["FAULT_COUNT"] = "0"
        with Daemon(folder, env=env) as daemon:
            require(run_golden(daemon) == 0 and is_whole(daemon), "a short write was not continued")
    return {"cases": 2, "bad": 0}


@row("A7", "a disk that needs two seconds per sync")
def slow_disk(size):
    worst = 0.0
    for target, op in (("journal", "fdatasync"), ("out/.final", "fsync")):
        with workplace() as folder:
            env = {**shim(), "FAULT_OP": op, "FAULT_PATH": f"{folder}/{target}", "FAULT_DO": "delay", "FAULT_MS": "2000"}
            env["FAULT_COUNT"] = "0"
            with Daemon(folder, "--journal", f"{folder}/journal", env=env) as daemon, Producer(daemon.endpoint) as producer:
                producer.send(*start_frames())
                begin = time.monotonic()
                number = 0
                while time.monotonic() - begin < 3:
                    producer.send(sample_batch(range(number, number + 20)))
                    number += 20
                    time.sleep(0.01)
                asked = time.monotonic()
                daemon.signal(signal.SIGTERM)
                require(daemon.wait(6) == 0, f"status of a run on a slow disk: {daemon.text()}")
                took = time.monotonic() - asked
                require(took < 5, f"SIGTERM took {took:.1f} s")
                final = daemon.final()
                late = final["self"]["tick_late_p99_ns"] / 1e6
                worst = max(worst, late)
                require(counters(final)["total_samples_completed"] == number, "samples are missing")
    # Ticks that wait for a sync are up to two seconds late. The largest of few is the p99, and a busy machine delays the first by some 400 ms.
    require(worst < 1000, f"ticks were {worst} ms late")
    return {"tick_late_p99_ms": round(worst, 2), "goal_ms": 20}


@row("A8", "kill -9 at random times with a journal, repeatedly")
def kills(size):
    total = {"quick": 25, "full": 300, "soak": 2000}[size]
    seed, chance = seeded()
    lost = torn = done = 0
    while done < total:
        with workplace() as folder:
            number = shown = 0
            for round_ in range(min(25, total - done)):
                with Daemon(folder, "--journal", f"{folder}/journal", "--journal-segment", "256k") as daemon, Producer(
                    daemon.endpoint, linger=0
                ) as producer, Subscriber(daemon.metrics) as subscriber:
                    if shown:
                        recovered = until(lambda: subscriber.counter("records_received"), "a snapshot after the restart")
                        require(recovered >= shown, f"seed {seed}: {shown} records were shown, {recovered} recovered")
                        require(subscriber.counter("journal_bytes_skipped") == 0, f"seed {seed}: a torn tail counts as damage")
                    if number == 0:
                        producer.send(*start_frames())
                    end = time.monotonic() + chance.uniform(0.0, 0.25)
                    while time.monotonic() < end:
                        producer.send(sample_batch(range(number, number + 10)))
                        number += 10
                        subscriber.poll()
                    until(lambda: subscriber.counter("records_received"), "a snapshot")
                    daemon.signal(signal.SIGKILL)
                    daemon.process.wait()
                    # A snapshot published before the kill may still be in transit.
                    subscriber.poll(20)
                    shown = subscriber.counter("records_received")
                    torn += subscriber.counter("journal_bytes_torn") > 0
                    done += 1
    fast = {"quick": 3, "full": 20, "soak": 100}[size]
    written = sum(fast_kill(chance, seed) for _ in range(fast))
    return {"seed": seed, "kills": done, "shown_and_lost": lost, "torn_tails": torn, "fast_kills": fast, "with_direct_io": written}


def has_thread(daemon, name):
    for each in pathlib.Path(f"/proc/{daemon.process.pid}/task").iterdir():
        try:
            if (each / "comm").read_text().strip() == name:
                return True
        except OSError:
            # The thread has ended meanwhile.
            continue
    return False


def fast_kill(chance, seed):
    """Kills a daemon amid a stream that it writes with direct I/O; returns whether it did so, which not every file system allows."""
    # Few records of many bytes, which also a busy machine receives at 100 MB/s. An unknown key is skipped.
    text = "x" * 20_000
    batch = frame("batch", encode([record("sample.issued", 1, f"{number:032x}", note=text) for number in range(100)]))
    direct = False
    with workplace() as folder:
        with Daemon(folder, "--journal", f"{folder}/journal") as daemon, Producer(daemon.endpoint, linger=0) as producer, Subscriber(
            daemon.metrics
        ) as subscriber:
            producer.send(*start_frames())
            sent = 0
            while not direct and sent < 400_000_000:
                producer.send(batch)
                sent += len(batch)
                subscriber.poll()
                direct = has_thread(daemon, "journal-writer")
            end = time.monotonic() + chance.uniform(0.0, 0.5)
            while time.monotonic() < end:
                producer.send(batch)
                subscriber.poll()
            until(lambda: subscriber.counter("records_received"), "a snapshot")
            daemon.signal(signal.SIGKILL)
            daemon.process.wait()
            subscriber.poll(20)
            shown = subscriber.counter("records_received")
        with Daemon(folder, "--journal", f"{folder}/journal") as daemon, Subscriber(daemon.metrics) as subscriber:
            recovered = until(lambda: subscriber.counter("records_received"), "a snapshot after the restart")
            require(recovered >= shown, f"seed {seed}: {shown} records of a fast stream were shown, {recovered} recovered")
            require(subscriber.counter("journal_bytes_skipped") == 0, f"seed {seed}: a torn tail of direct I/O counts as damage")
            daemon.kill()
    return direct


@row("A9", "kill -9 during recovery, rotation and finish of a journal")
def kills_during_recovery(size):
    total = {"quick": 12, "full": 100, "soak": 1000}[size]
    seed, chance = seeded()
    with workplace() as folder:
        with Daemon(folder, "--journal", f"{folder}/journal", "--journal-segment", "4k") as daemon, Producer(
            daemon.endpoint, linger=0
        ) as producer, Subscriber(daemon.metrics) as subscriber:
            producer.send(*start_frames())
            producer.send(*[sample_batch(range(i * 5, i * 5 + 5)) for i in range(400)])
            until(lambda: subscriber.counter("total_samples_completed") >= 2000, "all samples")
            daemon.kill()
        for _ in range(total):
            with Daemon(folder, "--journal", f"{folder}/journal", "--journal-segment", "4k", wait=False) as daemon:
                time.sleep(chance.uniform(0.15, 0.6))
                daemon.kill()
        for op in ("open", "write", "fsync", "fdatasync", "close"):
            env = {**shim(), "FAULT_OP": op, "FAULT_PATH": f"{folder}/journal/run", "FAULT_DO": "kill"}
            with Daemon(folder, "--journal", f"{folder}/journal", env=env, wait=False) as daemon:
                time.sleep(1.0)
                daemon.kill()
            total += 1
        with Daemon(folder, "--journal", f"{folder}/journal") as daemon:
            daemon.signal(signal.SIGTERM)
            require(daemon.wait() == 0, f"the last start failed: {daemon.text()}")
            found = counters(daemon.final())["total_samples_completed"]
            require(found == 2000, f"seed {seed}: {found} of 2000 samples are left")
    return {"seed": seed, "kills": total, "samples_lost": 0}


@row("A11", "a journal that cannot be written: read-only, out of inodes, removed", root=True)
def journal_unwritable(size):
    require_root()
    cases = 0
    for fault in ("read-only", "inodes", "removed"):
        with workplace() as folder:
            folder = pathlib.Path(folder)
            disk = folder / "disk"
            disk.mkdir()
            mount("-t", "tmpfs", "-o", "size=8m,mode=0700" + (",nr_inodes=6" if fault == "inodes" else ""), "tmpfs", disk)
            try:
                options = ["--journal", str(disk / "journal"), "--journal-segment", "8k"]
                with Daemon(folder, *options) as daemon, Producer(daemon.endpoint) as producer, Subscriber(
                    daemon.metrics
                ) as subscriber:
                    producer.send(*start_frames(), sample_batch(range(10)))
                    until(lambda: subscriber.counter("total_samples_completed") >= 10, "the first samples")
                    if fault == "read-only":
                        # Files open for writing prevent a read-only remount; with immutable folders no new files can be created.
                        subprocess.run(["chattr", "+i", *map(str, (disk / "journal").glob("run-*"))], check=False)
                        subprocess.run(["mount", "-o", "remount,ro", str(disk)], capture_output=True, check=False)
                    elif fault == "removed":
                        subprocess.run(["rm", "-rf", str(disk / "journal")], check=True)
                    for i in range(10, 2010, 20):
                        producer.send(sample_batch(range(i, i + 20)))
                    until(lambda: subscriber.counter("total_samples_completed") >= 2010, "all samples")
                    producer.send(end_frame())
                    require(daemon.wait() == 0, f"{fault}: {daemon.text()}")
                    totals = require_balanced(daemon.final())
                    require(totals["total_samples_completed"] == 2010, f"{fault}: samples are missing")
                    if fault != "read-only":
                        require(totals["journal_errors"] > 0, f"{fault}: no error was counted")
                    cases += 1
            finally:
                subprocess.run(["mount", "-o", "remount,rw", str(disk)], capture_output=True, check=False)
                subprocess.run(["chattr", "-i", *map(str, (disk / "journal").glob("run-*"))], capture_output=True, check=False)
                unmount(disk)
    return {"cases": cases, "samples_lost": 0}


@row("A12", "SIGTERM at random times, and SIGKILL five seconds later")
def terms(size):
    total = {"quick": 20, "full": 500, "soak": 5000}[size]
    seed, chance = seeded()
    worst = 0.0
    complete = interrupted = nothing = 0
    frames = [*start_frames(), *[sample_batch(range(i, i + 100)) for i in range(0, 20000, 100)], end_frame()]
    for _ in range(total):
        with workplace() as folder:
            with Daemon(folder, wait=False) as daemon:
                if chance.random() < 0.3:
                    time.sleep(chance.uniform(0, 0.6))
                else:
                    daemon.await_ready()
                    with Producer(daemon.endpoint, linger=0) as producer:
                        producer.send(*frames)
                        time.sleep(chance.uniform(0, 0.3))
                asked = time.monotonic()
                for _ in range(chance.randrange(1, 3)):
                    daemon.signal(signal.SIGTERM)
                status = daemon.wait(5)
                worst = max(worst, time.monotonic() - asked)
                if status == 0:
                    state = daemon.final()["state"]
                    complete += state == "complete"
                    interrupted += state == "interrupted"
                    require(state in ("complete", "interrupted"), f"state {state}")
                    require_balanced(daemon.final())
                else:
                    # A signal in the third phase of the JVM's own start ends it with 1 and "Bad level: 3": Shutdown has then set the level beyond it. No line of ours has run.
                    of_the_jvm = status == 1 and "Error occurred during initialization of VM" in daemon.text()
                    require((status in (-15, 143) or of_the_jvm) and not daemon.has_final(), f"seed {seed}: status {status}: {daemon.text()}")
                    require(not (daemon.output / ".ready").exists(), f"seed {seed}: killed by the signal although it was ready")
                    nothing += 1
    return {"seed": seed, "signals": total, "complete": complete, "interrupted": interrupted, "before_there_was_a_daemon": nothing, "worst_seconds": round(worst, 2)}
