"""Rows B: hostile input on the wire, beside well-behaved peers that must lose nothing."""

import os
import resource
import signal
import socket
import struct
import subprocess
import threading
import time

import zmq

from harness import (
    Daemon,
    Producer,
    Skipped,
    Subscriber,
    counters,
    end_frame,
    frame,
    require,
    require_balanced,
    require_root,
    require_tool,
    row,
    sample_batch,
    seeded,
    start_frames,
    until,
    workplace,
)

GREETING = b"\xff" + b"\0" * 7 + b"\x01\x7f\x03\x01" + b"NULL".ljust(20, b"\0") + b"\0" * 32


def command(name, body=b""):
    data = bytes([len(name)]) + name + body
    return (b"\x04" + bytes([len(data)]) if len(data) < 256 else b"\x06" + struct.pack(">Q", len(data))) + data


def ready(kind=b"PUB"):
    return command(b"READY", b"\x0bSocket-Type" + struct.pack(">I", len(kind)) + kind)


def message(body):
    return (b"\x00" + bytes([len(body)]) if len(body) < 256 else b"\x02" + struct.pack(">Q", len(body))) + body


def raw(endpoint, handshake=b"PUB"):
    """Opens a raw connection, with a handshake by default."""
    if endpoint.startswith("ipc://"):
        peer = socket.socket(socket.AF_UNIX)
        peer.settimeout(5)
        peer.connect(endpoint[6:])
    else:
        host, port = endpoint[6:].rsplit(":", 1)
        peer = socket.create_connection((host, int(port)), timeout=5)
    if handshake:
        peer.sendall(GREETING + ready(handshake))
        got = b""
        while len(got) < 64 + 27:
            part = peer.recv(4096)
            require(part, "the daemon closed the connection during the handshake")
            got += part
    return peer


def is_closed(peer, patience=8.0):
    peer.settimeout(patience)
    try:
        while True:
            if peer.recv(65536) == b"":
                return True
    except socket.timeout:
        return False
    except OSError:
        return True


ATTACKS = {
    "length 2^31-1": message(b"")[:1].replace(b"\0", b"\x02") + struct.pack(">Q", 2**31 - 1),
    "length 300 MB": b"\x02" + struct.pack(">Q", 300 << 20),
    "length 2^64-1": b"\x02" + b"\xff" * 8,
    "length 2^63": b"\x02" + struct.pack(">Q", 2**63),
    "command of 2^31-1": b"\x06" + struct.pack(">Q", 2**31 - 1),
    "PING without a TTL": command(b"PING"),
    "PING with a long context": command(b"PING", b"\0\0" + b"x" * 200),
    "unknown command": command(b"BOO", b"x" * 20),
    "reserved flags": b"\xf8\x00",
    "READY again": ready(),
    "SUBSCRIBE to a SUB": command(b"SUBSCRIBE", b"x"),
    "command without a name": b"\x04\x00",
    "name beyond the command": b"\x04\x02\xffA",
}
BEFORE_HANDSHAKE = {
    "HTTP": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "ZMTP 1": b"\x01\x00",
    "ZMTP 2": b"\xff" + b"\0" * 7 + b"\x01\x7f\x01\x01\x00\x00",
    "500 zeros": b"\0" * 500,
    "CURVE asked for": GREETING.replace(b"NULL", b"CURVE")[:64],
    "huge command at once": GREETING + b"\x06" + b"\x7f" + b"\xff" * 7,
    "READY of a wrong type": GREETING + ready(b"DEALER"),
    "READY with a length beyond it": GREETING + command(b"READY", b"\x0bSocket-Type\xff\xff\xff\xff"),
}
# These violate nothing, so the connection stays open.
HARMLESS = {"PING with a long context", "unknown command", "READY again", "SUBSCRIBE to a SUB"}


@row("B4", "hostile peers on ipc and tcp beside a producer that loses nothing")
def hostile_peers(size):
    cases = 0
    idle = {}
    for tcp in (False, True):
        with workplace() as folder, Daemon(folder, tcp=tcp) as daemon, Producer(daemon.endpoint) as producer, Subscriber(
            daemon.metrics
        ) as subscriber:
            producer.send(*start_frames())
            sent = 0
            peers = []
            for name, attack in [*ATTACKS.items(), *BEFORE_HANDSHAKE.items()]:
                peer = raw(daemon.endpoint, handshake=b"PUB" if name in ATTACKS else None)
                try:
                    peer.sendall(attack)
                except OSError:
                    pass
                producer.send(sample_batch(range(sent, sent + 50)))
                sent += 50
                peers.append((name, peer))
                cases += 1
            until(lambda: subscriber.counter("total_samples_completed") >= sent, "the good producer's samples")
            for name, peer in peers:
                closed = is_closed(peer, 8.0 if name not in HARMLESS else 0.2)
                require(closed or name in HARMLESS, f"{name}: the connection was not closed")
                peer.close()
            transport = "tcp" if tcp else "ipc"
            # The JVM's compilers work on for a while; a connection that spins never ends.
            for _ in range(10):
                before, start = daemon.cpu_seconds(), time.monotonic()
                time.sleep(2)
                idle[transport] = round((daemon.cpu_seconds() - before) / (time.monotonic() - start), 3)
                if idle[transport] < 0.25:
                    break
            require(idle[transport] < 0.25, f"the idle daemon uses CPU: {idle}")
            producer.send(end_frame())
            require(daemon.wait() == 0, f"{daemon.text()}")
            totals = require_balanced(daemon.final())
            require(totals["total_samples_completed"] == sent, "the good producer lost samples")
            require(totals["protocol_errors"] > 0, "no protocol error was counted")
    return {"cases": cases, "bad": 0, "good_samples_lost": 0, **{f"cpu_afterwards_{k}": v for k, v in idle.items()}}


@row("B5", "thousands of silent connections, few file descriptors, slow greetings")
def connects(size):
    total = {"quick": 2000, "full": 10000, "soak": 100000}[size]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        with workplace() as folder, Daemon(folder) as daemon, Producer(daemon.endpoint) as producer, Subscriber(
            daemon.metrics
        ) as subscriber:
            producer.send(*start_frames(), sample_batch(range(100)))
            until(lambda: subscriber.counter("total_samples_completed") >= 100, "the first samples")
            memory, sent = daemon.resident_bytes(), 100
            start = time.monotonic()
            silent = []
            for i in range(total):
                peer = socket.socket(socket.AF_UNIX)
                peer.setblocking(False)
                try:
                    peer.connect(daemon.endpoint[6:])
                except OSError:
                    peer.close()
                    continue
                silent.append(peer)
                if len(silent) > 900:
                    silent.pop(0).close()
                if i % 200 == 0:
                    producer.send(sample_batch(range(sent, sent + 50)))
                    sent += 50
            until(lambda: subscriber.counter("total_samples_completed") >= sent, "the good producer's samples")
            flood = time.monotonic() - start
            grown = daemon.resident_bytes() - memory
            # The daemon closes the remaining silent connections when their handshake times out.
            until(lambda: daemon.descriptors() < 100, f"descriptors are released, {daemon.descriptors()} are open", 15)
            for peer in silent:
                peer.close()
            producer.send(end_frame())
            require(daemon.wait() == 0, daemon.text())
            require(require_balanced(daemon.final())["total_samples_completed"] == sent, "samples are missing")
            require(grown < 60 << 20, f"memory grew by {grown >> 20} MiB")
        with workplace() as folder, Daemon(folder, wrapper=["bash", "-c", 'ulimit -n 112; exec "$@"', "bash"]) as daemon:
            with Producer(daemon.endpoint) as producer, Subscriber(daemon.metrics) as subscriber:
                producer.send(*start_frames(), sample_batch(range(100)))
                until(lambda: subscriber.counter("total_samples_completed") >= 100, "the first samples")
                silent = []
                for _ in range(300):
                    peer = socket.socket(socket.AF_UNIX)
                    peer.setblocking(False)
                    try:
                        peer.connect(daemon.endpoint[6:])
                        silent.append(peer)
                    except OSError:
                        peer.close()
                before, start = daemon.cpu_seconds(), time.monotonic()
                producer.send(sample_batch(range(100, 200)))
                until(lambda: subscriber.counter("total_samples_completed") >= 200, "samples without descriptors to spare")
                time.sleep(2)
                cpu = (daemon.cpu_seconds() - before) / (time.monotonic() - start)
                # One that tries again and again would use a whole core; a slow machine needs 0.35 for what there is to do.
                require(cpu < 0.5, f"without descriptors the daemon uses CPU: {cpu:.2f} of a core")
                for peer in silent:
                    peer.close()
                producer.send(end_frame())
                require(daemon.wait() == 0, daemon.text())
                require("Too many open files" not in daemon.text(), "the connections used up the descriptors")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return {
        "connections": total,
        "per_second": round(total / flood),
        "memory_grown_mib": grown >> 20,
        "good_samples_lost": 0,
        "cpu_without_descriptors": round(cpu, 3),
    }


class Proxy(threading.Thread):
    """A proxy between a peer and the daemon that damages the bytes towards the daemon once."""

    def __init__(self, path, target):
        super().__init__(daemon=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(16)
        self.target = target
        self.deed = None

    def run(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            inner = socket.socket(socket.AF_UNIX)
            try:
                inner.connect(self.target)
            except OSError:
                peer.close()
                continue
            deed, self.deed = self.deed, None
            threading.Thread(target=self.pump, args=(peer, inner, deed), daemon=True).start()
            threading.Thread(target=self.pump, args=(inner, peer, None), daemon=True).start()

    def pump(self, source, sink, deed):
        passed = 0
        try:
            while part := source.recv(1 << 16):
                if deed is not None and passed + len(part) > deed[1]:
                    kind, at = deed[0], deed[1] - passed
                    deed = None
                    if kind == "truncate":
                        sink.sendall(part[:at])
                        break
                    if kind == "flip":
                        part = part[:at] + bytes([part[at] ^ 0x41]) + part[at + 1 :]
                    elif kind == "duplicate":
                        part = part[: at + 1] + part[at:]
                    elif kind == "stall":
                        sink.sendall(part[:at])
                        time.sleep(0.3)
                        part = part[at:]
                sink.sendall(part)
                passed += len(part)
        except OSError:
            pass
        for each in (source, sink):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


@row("B3", "a connection cut, corrupted, duplicated or held at any byte, beside a good one")
def damaged_connections(size):
    total = {"quick": 40, "full": 400, "soak": 4000}[size]
    seed, chance = seeded()
    with workplace() as folder, Daemon(folder) as daemon, Producer(daemon.endpoint) as good, Subscriber(
        daemon.metrics
    ) as subscriber:
        good.send(*start_frames())
        path = f"{folder}/proxy"
        proxy = Proxy(path, daemon.endpoint[6:])
        proxy.start()
        sent = 0
        for _ in range(total):
            proxy.deed = (chance.choice(["truncate", "flip", "duplicate", "stall"]), chance.randrange(2, 3000))
            bad = zmq.Context()
            peer = bad.socket(zmq.PUB)
            peer.setsockopt(zmq.LINGER, 0)
            peer.connect(f"ipc://{path}")
            until_sent = time.monotonic() + 0.1
            while time.monotonic() < until_sent:
                peer.send(frame("batch", sample_batch(range(10**6, 10**6 + 20))[40:]))
                good.send(sample_batch(range(sent, sent + 5)))
                sent += 5
                time.sleep(0.01)
            peer.close()
            bad.term()
        issued = lambda: subscriber.counter("records_received")  # noqa: E731
        until(issued, "records")
        good.send(end_frame())
        require(daemon.wait() == 0, daemon.text())
        final = daemon.final()
        require_balanced(final)
        # The damaged connection repeats the same samples; every sample of the good one is present and completed once.
        row_ = final["in_flight"]["count"]
        totals = counters(final)
        require(totals["tracked_samples_completed"] >= sent, f"seed {seed}: {totals['tracked_samples_completed']} of {sent}")
        return {"seed": seed, "connections": total, "good_samples": sent, "good_samples_lost": 0, "left_in_flight": row_}


@row("B6", "a network that loses packets, resets connections and disappears", root=True)
def network(size):
    require_root()
    require_tool("ip")
    names = ("faults-a", "faults-b")

    def ip(*arguments, check=True):
        done = subprocess.run(["ip", *arguments], capture_output=True, text=True)
        if check and done.returncode != 0:
            raise Skipped(f"ip {' '.join(arguments)}: {done.stderr.strip()}")

    for name in names:
        ip("netns", "del", name, check=False)
    try:
        for name in names:
            ip("netns", "add", name)
        ip("link", "add", "fva", "netns", names[0], "type", "veth", "peer", "name", "fvb", "netns", names[1])
        for name, device, address in ((names[0], "fva", "10.99.0.1/24"), (names[1], "fvb", "10.99.0.2/24")):
            ip("-n", name, "addr", "add", address, "dev", device)
            ip("-n", name, "link", "set", device, "up")
            ip("-n", name, "link", "set", "lo", "up")
        with workplace() as folder:
            # The producer binds in one network namespace, the daemon connects from the other.
            script = (
                "import sys; sys.path.insert(0, sys.argv[1]); import zmq, harness, time\n"
                "c = zmq.Context(); s = c.socket(zmq.XPUB); s.setsockopt(zmq.SNDHWM, 0); s.bind('tcp://10.99.0.2:5599')\n"
                "s.poll(30000); s.recv(); print('subscribed', flush=True)\n"
                "for f in harness.start_frames(): s.send(f)\n"
                "n = 0\n"
                "while True:\n"
                "    line = sys.stdin.readline().split()\n"
                "    if line[0] == 'send':\n"
                "        for _ in range(int(line[1])): s.send(harness.sample_batch(range(n, n + 10))); n += 10\n"
                "        print('sent', n, flush=True)\n"
                "    else:\n"
                "        s.send(harness.end_frame()); time.sleep(5); break\n"
            )
            import sys

            command_line = ["ip", "netns", "exec", names[1], sys.executable, "-c", script, os.path.dirname(__file__)]
            pipe = subprocess.PIPE
            producer = subprocess.Popen(command_line, stdin=pipe, stdout=pipe, text=True)

            def send(batches):
                producer.stdin.write(f"send {batches}\n")
                producer.stdin.flush()
                return int(producer.stdout.readline().split()[1])

            with Daemon(
                folder, "--in", "connect:tcp://10.99.0.2:5599", wrapper=["ip", "netns", "exec", names[0]], wait=False
            ) as daemon, Subscriber(daemon.metrics) as subscriber:
                require(producer.stdout.readline().strip() == "subscribed", "the daemon did not connect")
                complete = lambda n: until(  # noqa: E731
                    lambda: subscriber.counter("total_samples_completed") >= n, f"{n} samples", 60
                )
                complete(send(20))
                lossy = False
                if subprocess.run(["ip", "netns", "exec", names[0], "iptables", "-A", "INPUT", "-p", "tcp", "-m",
                                   "statistic", "--mode", "random", "--probability", "0.2", "-j", "DROP"],
                                  capture_output=True).returncode == 0 if which("iptables") else False:
                    lossy = True
                    complete(send(200))
                    subprocess.run(["ip", "netns", "exec", names[0], "iptables", "-F"], check=True)
                # The link is down for a while: records sent meanwhile arrive later.
                ip("-n", names[1], "link", "set", "fvb", "down")
                numbers = send(20)
                time.sleep(3)
                ip("-n", names[1], "link", "set", "fvb", "up")
                start = time.monotonic()
                complete(numbers)
                after_link = time.monotonic() - start
                # The connection is killed on one side: records in transit are lost, and those sent after the reconnect arrive.
                killed = subprocess.run(["ip", "netns", "exec", names[1], "ss", "-K", "sport", "=", "5599"],
                                        capture_output=True).returncode == 0
                before = subscriber.counter("total_samples_completed")
                start = time.monotonic()

                def again():
                    send(1)
                    return subscriber.counter("total_samples_completed") > before

                until(again, "the daemon connects again")
                reconnected = time.monotonic() - start
                producer.stdin.write("end\n")
                producer.stdin.flush()
                require(daemon.wait(60) == 0, daemon.text())
                totals = require_balanced(daemon.final())
                require(totals["events_duplicate"] == 0, "events were applied twice")
                producer.kill()
        require(reconnected < 3, f"reconnected after {reconnected:.1f} s")
        return {"loss_20_percent": int(lossy), "seconds_after_link_down": round(after_link, 2),
                "connection_killed": int(killed), "seconds_to_reconnect": round(reconnected, 2), "applied_twice": 0}
    finally:
        for name in names:
            ip("netns", "del", name, check=False)


def which(name):
    import shutil

    return shutil.which(name)


@row("B7", "a publisher restarted repeatedly, before and after the daemon")
def publisher_restarts(size):
    total = {"quick": 30, "full": 200, "soak": 2000}[size]
    with workplace() as folder, Subscriber(f"ipc://{folder}/metrics") as subscriber:
        path = f"ipc://{folder}/publisher"
        with Daemon(folder, "--in", f"connect:{path}", wait=False) as daemon:
            sent = 0
            for i in range(total):
                context = zmq.Context()
                publisher = context.socket(zmq.XPUB)
                publisher.setsockopt(zmq.SNDHWM, 0)
                publisher.setsockopt(zmq.LINGER, 5000)
                publisher.bind(path)
                require(publisher.poll(10_000), "the daemon did not reconnect")
                publisher.recv()
                if i == 0:
                    for each in start_frames():
                        publisher.send(each)
                publisher.send(sample_batch(range(sent, sent + 10)))
                sent += 10
                if i == total - 1:
                    publisher.send(end_frame())
                publisher.close()
                context.term()
            require(daemon.wait() == 0, daemon.text())
            totals = require_balanced(daemon.final())
            lost = sent - totals["total_samples_completed"]
            require(lost == 0, f"{lost} samples sent after the subscription were lost")
    return {"restarts": total, "samples": sent, "lost_after_subscription": 0}


@row("B9", "100 subscribers that never read")
def stuck_subscribers(size):
    total = {"quick": 100, "full": 500, "soak": 1000}[size]
    with workplace() as folder, Daemon(folder) as daemon, Producer(daemon.endpoint) as producer, Subscriber(
        daemon.metrics
    ) as subscriber:
        producer.send(*start_frames(), sample_batch(range(100)))
        until(lambda: subscriber.counter("total_samples_completed") >= 100, "the first samples")
        memory = daemon.resident_bytes()
        stuck = []
        for _ in range(total):
            peer = raw(daemon.metrics, handshake=b"SUB")
            peer.sendall(command(b"SUBSCRIBE"))
            stuck.append(peer)
        seen, ticks = subscriber.seen, subscriber.counter("ticks_published")
        begin, sent = time.monotonic(), 100
        while time.monotonic() - begin < 4:
            producer.send(sample_batch(range(sent, sent + 50)))
            sent += 50
            subscriber.poll(10)
        reader, published = subscriber.seen - seen, subscriber.counter("ticks_published") - ticks
        grown = daemon.resident_bytes() - memory
        start = time.monotonic()
        producer.send(end_frame())
        require(daemon.wait() == 0, daemon.text())
        took = time.monotonic() - start
        final = daemon.final()
        require(require_balanced(final)["total_samples_completed"] == sent, "samples are missing")
        late = final["self"]["tick_late_p99_ns"] / 1e6
        # Of what was published: a busy machine publishes less.
        require(published > 10 and reader >= 0.9 * published, f"the reading subscriber received {reader} of {published} snapshots in 4 s")
        require(took < 5, f"the end took {took:.1f} s")
        for peer in stuck:
            peer.close()
        return {
            "stuck": total,
            "tick_late_p99_ms": round(late, 2),
            "snapshots_a_second_for_one_that_reads": round(reader / 4, 1),
            "memory_grown_mib": grown >> 20,
            "seconds_to_the_exit": round(took, 2),
        }
