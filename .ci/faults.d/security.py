"""Rows B: peers with wrong keys, and exporters with invalid certificates."""

import pathlib
import socket
import ssl
import subprocess
import threading
import time

import zmq

from harness import (
    Daemon,
    Producer,
    Skipped,
    Subscriber,
    end_frame,
    require,
    require_balanced,
    require_tool,
    row,
    sample_batch,
    start_frames,
    until,
    workplace,
)


def curve_socket(context, kind, server_key, pair):
    peer = context.socket(kind)
    peer.setsockopt(zmq.LINGER, 0)
    peer.setsockopt(zmq.SNDHWM, 0)
    peer.setsockopt(zmq.RECONNECT_IVL, 1)
    peer.curve_serverkey = server_key
    peer.curve_publickey, peer.curve_secretkey = pair
    return peer


@row("B10", "CURVE: peers with a wrong key or none reconnect under load")
def wrong_keys(size):
    if not zmq.has("curve"):
        raise Skipped("needs libzmq with CURVE")
    seconds = {"quick": 6, "full": 60, "soak": 600}[size]
    server, good, stranger, other = (zmq.curve_keypair() for _ in range(4))
    with workplace() as folder:
        key, allowed = pathlib.Path(folder) / "daemon.key", pathlib.Path(folder) / "allowed"
        for path, lines in ((key, server), (allowed, good[:1])):
            path.write_text("".join(each.decode() + "\n" for each in lines))
            path.chmod(0o600)
        flags = ["--curve-key", str(key), "--curve-allow", str(allowed)]
        with Daemon(folder, *flags, tcp=True) as daemon, Subscriber(daemon.metrics) as subscriber:
            context = zmq.Context()
            producer = curve_socket(context, zmq.XPUB, server[0], good)
            producer.setsockopt(zmq.LINGER, 30_000)
            producer.connect(daemon.endpoint)
            require(producer.poll(30_000), f"the producer with the right keys received no subscription: {daemon.text()}")
            producer.recv()
            for each in start_frames():
                producer.send(each)
            hostile = zmq.Context()
            bad = [curve_socket(hostile, zmq.PUB, server[0], stranger) for _ in range(4)]
            bad += [curve_socket(hostile, zmq.PUB, other[0], good) for _ in range(4)]
            plain = hostile.socket(zmq.PUB)
            plain.setsockopt(zmq.LINGER, 0)
            plain.setsockopt(zmq.RECONNECT_IVL, 1)
            bad.append(plain)
            for each in bad:
                each.connect(daemon.endpoint)
            sent, begin, cpu, seen = 0, time.monotonic(), daemon.cpu_seconds(), subscriber.seen
            while time.monotonic() - begin < seconds:
                producer.send(sample_batch(range(sent, sent + 20)))
                sent += 20
                for each in bad:
                    each.send(sample_batch(range(10**6, 10**6 + 1)), zmq.NOBLOCK)
                subscriber.poll(10)
            took = time.monotonic() - begin
            share = (daemon.cpu_seconds() - cpu) / took
            rate = (subscriber.seen - seen) / took
            until(lambda: subscriber.counter("total_samples_completed") >= sent, "the right producer's samples")
            descriptors = daemon.descriptors()
            producer.send(end_frame())
            require(daemon.wait() == 0, daemon.text())
            totals = require_balanced(daemon.final())
            for each in bad:
                each.close()
            hostile.term()
            producer.close()
            context.term()
            require(totals["total_samples_completed"] == sent, "a wrong key was accepted, or the right one lost samples")
            refused = totals["protocol_errors"] + totals["handshakes_aborted"] + totals["peers_rejected"]
            require(refused > 0, "no handshake with a wrong key was counted")
            require(descriptors < 200, f"{descriptors} descriptors are held")
            # A handshake takes about a millisecond of elliptic-curve arithmetic on either side, so that ticks are late on few cores.
            require(rate > 4, f"{rate:.1f} snapshots a second rather than 20, with {share:.2f} cores and {refused / took:.0f} refusals a second")
    return {
        "samples": sent,
        "refused": refused,
        "refused_per_second": round(refused / took),
        "cpu_share": round(share, 2),
        "snapshots_per_second": round(rate, 1),
    }


def certificates(folder):
    """Creates a CA and certificates from it (valid, for another name, expired), and a self-signed certificate."""
    require_tool("openssl")
    require_tool("keytool")

    def openssl(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    ca_key, ca = folder / "ca.key", folder / "ca.pem"
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", ca_key, "-out", ca, "-days", 30, "-subj", "/CN=faults CA")
    made = {}
    for name, subject, days in (("good", "IP:127.0.0.1", 30), ("other_name", "DNS:elsewhere.example", 30), ("expired", "IP:127.0.0.1", -1)):
        key, request, pem, names = (folder / f"{name}.{end}" for end in ("key", "csr", "pem", "ext"))
        names.write_text(f"subjectAltName={subject}\n")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", f"/CN={name}")
        if days > 0:
            openssl("x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-CAcreateserial", "-out", pem, "-days", days, "-extfile", names)
        else:
            # A certificate in the past needs a CA database, because x509 accepts no dates before OpenSSL 3.4.
            (folder / "index.txt").write_text("")
            (folder / "serial").write_text("1000\n")
            config = folder / "ca.cnf"
            config.write_text(
                f"[ca]\ndefault_ca=x\n[x]\ndatabase={folder}/index.txt\nserial={folder}/serial\nnew_certs_dir={folder}\n"
                "default_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n"
            )
            openssl("ca", "-batch", "-config", config, "-in", request, "-cert", ca, "-keyfile", ca_key, "-out", pem,
                    "-startdate", "20200101000000Z", "-enddate", "20200201000000Z", "-extfile", names, "-notext")
        made[name] = (pem, key)
    key, pem = folder / "self.key", folder / "self.pem"
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", pem, "-days", 30, "-subj", "/CN=self",
            "-addext", "subjectAltName=IP:127.0.0.1")
    made["self_signed"] = (pem, key)
    store = folder / "trust.p12"
    subprocess.run(["keytool", "-importcert", "-noprompt", "-alias", "ca", "-file", str(ca), "-keystore", str(store),
                    "-storetype", "PKCS12", "-storepass", "changeit"], check=True, capture_output=True)
    return made, store


class Exporter(threading.Thread):
    """An exporter behind a certificate; without a certificate it answers TLS with other bytes or not at all."""

    ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nup 1\n"

    def __init__(self, certificate=None, raw=None):
        super().__init__(daemon=True)
        self.raw = raw
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*map(str, certificate))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://127.0.0.1:{self.listener.getsockname()[1]}/metrics"
        self.start()

    def run(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(peer,), daemon=True).start()

    def serve(self, peer):
        try:
            if self.context:
                peer = self.context.wrap_socket(peer, server_side=True)
                peer.recv(4096)
                peer.sendall(self.ANSWER)
            elif self.raw:
                peer.sendall(self.raw)
                peer.recv(4096)
            else:
                # Sends an endless handshake, a byte at a time.
                while True:
                    peer.sendall(b"\x16")
                    time.sleep(0.1)
        except OSError:
            pass
        finally:
            peer.close()


@row("B11", "exporters with bad certificates, without TLS, or with an endless handshake")
def bad_certificates(size):
    seconds = {"quick": 8, "full": 60, "soak": 600}[size]
    with workplace() as folder:
        made, store = certificates(pathlib.Path(folder))
        exporters = {name: Exporter(pair) for name, pair in made.items()}
        exporters["no_tls"] = Exporter(raw=Exporter.ANSWER)
        exporters["drips"] = Exporter()
        flags = []
        for name, exporter in exporters.items():
            flags += ["--scrape", f"{exporter.url},job={name},interval=200ms,timeout=1s"]
        options = f"-Djavax.net.ssl.trustStore={store} -Djavax.net.ssl.trustStorePassword=changeit"
        with Daemon(folder, *flags, env={"METRICS_AGGREGATOR_JAVA_OPTS": options}) as daemon, Producer(daemon.endpoint) as producer, Subscriber(
            daemon.metrics
        ) as subscriber:
            producer.send(*start_frames(), sample_batch(range(100)))
            until(lambda: subscriber.counter("total_samples_completed") >= 100, "the first samples")
            time.sleep(seconds / 2)
            half = daemon.descriptors()
            time.sleep(seconds / 2)
            grown = daemon.descriptors() - half
            producer.send(end_frame())
            require(daemon.wait() == 0, daemon.text())
            require_balanced(daemon.final())
            log = daemon.log_path.read_text(errors="replace")
            targets = {each["job"]: each for each in daemon.final()["observations"]["scrape"]["targets"]}
        require(grown < 10, f"{grown} additional descriptors in the second half")
        good = targets["good"]
        # The first scrapes may take longer than a second, because the JVM loads its TLS classes.
        require(good["reachable"] and good["n_samples"] > 4 * good["n_failed"], f"the exporter with a valid certificate failed: {good}")
        for name in exporters:
            if name != "good":
                require(not targets[name]["reachable"] and targets[name]["n_failed"] > 0, f"{name} was accepted: {targets[name]}")
        for name, word in (("self_signed", "TLS"), ("expired", "TLS"), ("other_name", "TLS"), ("no_tls", "TLS"), ("drips", "no answer")):
            require(word in targets[name]["last_error"], f"{name} failed for another reason: {targets[name]}")
            require(exporters[name].url in log, f"the log does not name {name}")
        for exporter in exporters.values():
            exporter.listener.close()
    return {"exporters": len(exporters), "believed": 1, "descriptors_grown": grown}
