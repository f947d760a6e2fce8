package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.jeromq.LostConnection;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Interoperability with libzmq and JeroMQ on both sides of the daemon, over ipc and tcp, with either side binding. */
class InteropIT {
    private static final GoldenCase GOLDEN = new GoldenCase("02_streaming_chunks");

    @TempDir
    Path directory;

    private String endpoint(String scheme, String name) throws IOException {
        if (scheme.equals("ipc")) {
            return "ipc://" + directory.resolve(name);
        }
        try (ServerSocket free = new ServerSocket(0)) {
            return "tcp://127.0.0.1:" + free.getLocalPort();
        }
    }

    private static String otherSide(String side) {
        return side.equals("bind") ? "connect" : "bind";
    }

    @ParameterizedTest
    @CsvSource({"ipc,bind,connect", "ipc,connect,bind", "tcp,bind,connect", "tcp,connect,bind", "ipc,bind,bind"})
    void libzmqPublishesToAndReadsFromTheDaemon(String scheme, String publisherSide, String subscriberSide)
            throws IOException {
        Python.require();
        String events = endpoint(scheme, "events");
        String metrics = endpoint(scheme, "metrics");
        Path output = directory.resolve("out");
        try (RunningProcess subscriber = Python.start("subscribe_snapshots.py", metrics, subscriberSide);
                RunningProcess daemon = new RunningProcess(Cli.builder(
                        List.of(),
                        List.of(),
                        Cli.run(
                                output,
                                "--streaming",
                                "--publish-interval",
                                "5ms",
                                "--in",
                                otherSide(publisherSide) + ":" + events,
                                "--out",
                                otherSide(subscriberSide) + ":" + metrics)))) {
            subscriber.awaitOut("connected");
            try (RunningProcess publisher = Python.start(
                    "publish_frames.py",
                    events,
                    publisherSide,
                    GOLDEN.framesFile().toString())) {
                assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
                assertThat(publisher.awaitExit()).as("%s", publisher).isZero();
                assertThat(subscriber.awaitExit()).as("%s", subscriber).isZero();
            }
            GOLDEN.assertMatches(FinalSnapshotFile.read(output), "expected_final_snapshot.json", Set.of());
            List<String> lines = subscriber.outLines();
            Map<String, ?> last = JsonTree.read(lines.get(lines.size() - 1).getBytes(StandardCharsets.UTF_8));
            assertThat(last.get("state")).isEqualTo("complete");
            assertThat(last.get("issued")).isEqualTo(200L);
            assertThat(last.get("latencies")).isEqualTo(200L);
            assertThat(lines).anyMatch(line -> line.contains("\"live\"") || line.contains("\"draining\""));
        }
    }

    @ParameterizedTest
    @CsvSource({"bind,connect", "connect,bind"})
    void jeromqPublishesToAndReadsFromTheDaemonOverTcp(String publisherSide, String subscriberSide) throws IOException {
        String events = endpoint("tcp", "");
        String metrics = endpoint("tcp", "");
        Path output = directory.resolve("out");
        try (ZContext context = new ZContext();
                RunningProcess daemon = new RunningProcess(Cli.builder(
                        List.of(),
                        List.of(),
                        Cli.run(
                                output,
                                "--streaming",
                                "--in",
                                otherSide(publisherSide) + ":" + events,
                                "--out",
                                otherSide(subscriberSide) + ":" + metrics)))) {
            ZMQ.Socket sub = context.createSocket(SocketType.SUB);
            sub.subscribe(new byte[0]);
            ZMQ.Socket pub = context.createSocket(SocketType.XPUB);
            pub.setSndHWM(0);
            ZMQ.Socket handshakes = context.createSocket(SocketType.PAIR);
            sub.monitor("inproc://handshakes", ZMQ.EVENT_HANDSHAKE_PROTOCOL);
            handshakes.connect("inproc://handshakes");
            attach(sub, metrics, subscriberSide);
            attach(pub, events, publisherSide);
            assertThat(receive(context, pub)).as("%s", daemon).isEqualTo(new byte[] {1});
            assertThat(receive(context, handshakes)).as("%s", daemon).isNotNull();
            Cli.awaitReady(daemon, output);
            sub.setReceiveTimeOut(30_000);
            for (var frame : GOLDEN.frames()) {
                byte[] bytes = new byte[frame.remaining()];
                frame.get(bytes);
                pub.send(bytes);
            }
            byte[] last = null;
            for (byte[] frame = sub.recv(); frame != null; frame = sub.recv(ZMQ.DONTWAIT)) {
                last = frame;
                if (isTerminal(frame)) {
                    break;
                }
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            for (byte[] frame = sub.recv(ZMQ.DONTWAIT); frame != null; frame = sub.recv(ZMQ.DONTWAIT)) {
                last = frame;
            }
            assertThat(last).isNotNull();
            assertThat(isTerminal(last)).isTrue();
        }
        GOLDEN.assertMatches(FinalSnapshotFile.read(output), "expected_final_snapshot.json", Set.of());
    }

    /** Receives a frame; JeroMQ may have to be polled for a new connection first. */
    private static byte[] receive(ZContext context, ZMQ.Socket socket) {
        socket.setReceiveTimeOut(250);
        byte[] frame = socket.recv();
        for (int tries = 0; frame == null && tries < 120; tries++) {
            new LostConnection(context).wake();
            frame = socket.recv();
        }
        return frame;
    }

    private static boolean isTerminal(byte[] frame) {
        return new String(frame, StandardCharsets.ISO_8859_1).contains("complete");
    }

    private static void attach(ZMQ.Socket socket, String endpoint, String side) {
        if (side.equals("bind")) {
            assertThat(socket.bind(endpoint)).isTrue();
        } else {
            socket.connect(endpoint);
        }
    }

    @Test
    void theReadySignalReachesAPullSocketAndNothingSentAfterItIsLost() throws IOException {
        Python.require();
        Path output = directory.resolve("out");
        String ready = "ipc://" + directory.resolve("ready");
        String events = "ipc://" + directory.resolve("events");
        for (int round = 0; round < 5; round++) {
            try (RunningProcess pull = Python.start("pull_ready.py", ready)) {
                pull.awaitOut("listening");
                try (RunningProcess publisher = Python.start(
                                "publish_frames.py",
                                events,
                                "bind",
                                GOLDEN.framesFile().toString());
                        RunningProcess daemon = new RunningProcess(Cli.builder(
                                List.of(),
                                List.of(),
                                Cli.run(
                                        output,
                                        "--streaming",
                                        "--socket-dir",
                                        directory.toString(),
                                        "--socket-name",
                                        "events",
                                        "--metrics-socket",
                                        "metrics",
                                        "--readiness-path",
                                        "ready",
                                        "--readiness-id",
                                        "300")))) {
                    pull.awaitOut("ready 300");
                    assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
                    assertThat(publisher.awaitExit()).isZero();
                }
            }
            MetricsSnapshot last = FinalSnapshotFile.read(output);
            assertThat(last.counterValue("total_samples_issued")).isEqualTo(200);
        }
    }
}
