package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.FramePublisher;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --strict} also fails for problems that no record of the ledger shows. */
class StrictIT {

    private final EventEncoder encoder = new EventEncoder();

    @TempDir
    Path directory;

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private byte[] frame(EventRecord record) {
        return Topic.frame(record.type().wireName(), encoder.encode(record));
    }

    /** Publishes a complete session with one sample. */
    private void session(FramePublisher publisher) throws IOException {
        publisher.publish(frame(EventRecord.session(EventType.SESSION_STARTED, 1)));
        publisher.publish(frame(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 2)));
        publisher.publish(frame(EventRecord.sample(EventType.SAMPLE_ISSUED, 3, "s")));
        publisher.publish(frame(EventRecord.sample(EventType.SAMPLE_COMPLETE, 4, "s")));
        publisher.publish(frame(EventRecord.session(EventType.SESSION_ENDED, 5)));
    }

    private static FramePublisher publisher(String endpoint) throws IOException {
        FramePublisher publisher = new FramePublisher(
                List.of(Endpoint.parse("connect:" + endpoint, false)), TransportOptions.defaults(), 1 << 20);
        assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
        return publisher;
    }

    private static boolean isBeingWritten(Path output) {
        try (Stream<Path> files = Files.list(output)) {
            return files.anyMatch(file -> file.getFileName().toString().endsWith(".tmp"));
        } catch (IOException e) {
            return false;
        }
    }

    /** Checks that every received record was applied, so that only the additional input of a test can cause a failure. */
    private static MetricsSnapshot setNothingAside(Path output) throws IOException {
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(Ledger.of(last).setAside()).isZero();
        assertThat(last.counterValue("records_applied")).isEqualTo(5);
        return last;
    }

    @Test
    @Tag("strace")
    void aFrameAfterTheFinalSnapshotFailsAStrictRun() throws IOException {
        Strace.require();
        for (boolean strict : new boolean[] {true, false}) {
            Path output = directory.resolve("strict-" + strict);
            String events = "tcp://127.0.0.1:" + freePort();
            // The slow file write leaves time between the last snapshot and the exit.
            List<String> strace = List.of(
                    "strace",
                    "-f",
                    "-qq",
                    "-o",
                    "/dev/null",
                    "-e",
                    "trace=fsync",
                    "-e",
                    "inject=fsync:delay_enter=3000000:when=1");
            String[] arguments = strict
                    ? Cli.run(output, "--in", "bind:" + events, "--strict")
                    : Cli.run(output, "--in", "bind:" + events);
            try (RunningProcess daemon = new RunningProcess(Cli.builder(strace, List.of(), arguments))) {
                Cli.awaitReady(daemon, output);
                FramePublisher publisher = publisher(events);
                session(publisher);
                Await.until(() -> isBeingWritten(output), daemon::toString);
                publisher.publish(frame(EventRecord.sample(EventType.SAMPLE_ISSUED, 6, "too late")));
                assertThat(daemon.awaitExit()).as("%s", daemon).isEqualTo(strict ? 6 : 0);
                assertThat(daemon.err())
                        .contains("frames arrived after the last snapshot, which does not include them frames=1");
                publisher.close(Duration.ofSeconds(1));
            }
            setNothingAside(output);
        }
    }

    @Test
    void aConnectionClosedForAProtocolErrorFailsAStrictRun() throws IOException {
        for (boolean strict : new boolean[] {true, false}) {
            Path output = directory.resolve("strict-" + strict);
            int port = freePort();
            String events = "tcp://127.0.0.1:" + port;
            String[] arguments = strict
                    ? new String[] {"--in", "bind:" + events, "--strict"}
                    : new String[] {"--in", "bind:" + events};
            try (RunningProcess daemon = Cli.daemon(output, arguments)) {
                try (Socket stranger = new Socket("127.0.0.1", port)) {
                    stranger.getOutputStream()
                            .write("GET / HTTP/1.1\r\nHost: of something else\r\n\r\n"
                                    .repeat(4)
                                    .getBytes(StandardCharsets.US_ASCII));
                    // The daemon counts the connection when it closes it.
                    stranger.setSoTimeout((int) Await.PATIENCE.toMillis());
                    awaitHangUp(stranger);
                }
                FramePublisher publisher = publisher(events);
                session(publisher);
                publisher.close(Await.PATIENCE);
                assertThat(daemon.awaitExit()).as("%s", daemon).isEqualTo(strict ? 6 : 0);
            }
            assertThat(setNothingAside(output).counterValue("protocol_errors")).isEqualTo(1);
        }
    }

    private static void awaitHangUp(Socket socket) {
        try {
            while (socket.getInputStream().read() >= 0) {
                // The bytes are the daemon's greeting.
            }
        } catch (IOException reset) {
            // A reset also means closed: unread input causes it.
            assertThat(reset).isNotInstanceOf(java.net.SocketTimeoutException.class);
        }
    }
}
