package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.FramePublisher;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Malformed input to a running daemon: all of it is counted, none of it is fatal, and the valid events beside it are applied. */
class HostileInputIT {
    private final EventEncoder encoder = new EventEncoder();

    @TempDir
    Path directory;

    private static byte[] single(byte[] payload) {
        return Topic.frame("sample.issued", payload);
    }

    private byte[] good(int number) {
        return encoder.encode(EventRecord.sample(EventType.SAMPLE_ISSUED, 1_000_000 + number, "good " + number));
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** Encodes {"event_type": "sample.issued", "x": ...}. */
    private static byte[] withUnknown(byte[] value) {
        return concat(HexFormat.of().parseHex("82aa6576656e745f74797065ad73616d706c652e697373756564a178"), value);
    }

    private static byte[] nested(int depth, int opener) {
        byte[] value = new byte[depth + 1];
        Arrays.fill(value, 0, depth, (byte) opener);
        value[depth] = (byte) 0xc0;
        return value;
    }

    private FramePublisher publisher;
    private long malformed;
    private long batches;
    private long empty;
    private int goodOnes;

    @Test
    void noInputStopsTheDaemonOrEscapesTheLedger() throws IOException {
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        try (RunningProcess daemon = new RunningProcess(
                Cli.builder(List.of(), List.of("-Xmx96m"), Cli.run(output, "--in", "bind:" + events, "--streaming")))) {
            Cli.awaitReady(daemon, output);
            publisher = new FramePublisher(
                    List.of(Endpoint.parse("connect:" + events, false)), TransportOptions.defaults(), 64 << 20);
            assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            session(EventType.SESSION_STARTED, 1_000_000);
            session(EventType.SESSION_START_PERFORMANCE_TRACKING, 1_000_000);
            sendTruncatedRecords();
            sendSizesBeyondTheInput();
            sendDeepNesting();
            sendTimestampsAtTheEdges();
            sendNoise();
            sendOneLargeFrame();
            session(EventType.SESSION_ENDED, 2_000_000);
            publisher.close(Duration.ofSeconds(60));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err().lines().filter(line -> line.contains("malformed record")))
                    .hasSizeLessThan(10);
            assertThat(daemon.err()).matches("[\\x20-\\x7e\\n…]*");
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        Ledger ledger = Ledger.of(last);
        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(ledger.balanced()).isTrue();
        assertThat(ledger.malformed()).isEqualTo(malformed);
        assertThat(last.counterValue("batches_malformed")).isEqualTo(batches);
        assertThat(last.counterValue("frames_empty")).isEqualTo(empty);
        // The valid samples, and the three at the limits of the time range.
        assertThat(last.counterValue("tracked_samples_issued")).isEqualTo(goodOnes + 3);
        assertThat(last.counterValue("tracked_samples_completed")).isEqualTo(3);
        assertThat(last.counterValue("protocol_errors")).isZero();
    }

    private void session(EventType type, long timestampNanos) throws IOException {
        publisher.publish(Topic.frame(type.wireName(), encoder.encode(EventRecord.session(type, timestampNanos))));
    }

    private void sendMalformed(byte[] payload) throws IOException {
        publisher.publish(single(payload));
        malformed++;
    }

    private void sendTruncatedRecords() throws IOException {
        byte[] whole = good(0);
        for (int length = 1; length < whole.length; length++) {
            sendMalformed(Arrays.copyOf(whole, length));
        }
    }

    private void sendSizesBeyondTheInput() throws IOException {
        for (String bomb : List.of(
                "dbffffffff",
                "ddffffffff",
                "dfffffffff",
                "c6ffffffff",
                "c9ffffffff01",
                "dd7fffffff",
                "91ddffffffff",
                "81a16bdfffffffff")) {
            byte[] bytes = HexFormat.of().parseHex(bomb);
            sendMalformed(withUnknown(bytes));
            publisher.publish(Topic.frame(Topic.BATCH, bytes));
            batches++;
        }
    }

    private void sendDeepNesting() throws IOException {
        for (int depth : new int[] {200, 5_000, 1_000_000}) {
            sendMalformed(withUnknown(nested(depth, 0x91)));
        }
    }

    /** Sends three timestamps that fit signed 64 bits, and four that do not. */
    private void sendTimestampsAtTheEdges() throws IOException {
        for (long edge : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, 0}) {
            publisher.publish(
                    single(encoder.encode(EventRecord.sample(EventType.SAMPLE_ISSUED, edge, "edge " + edge))));
            publisher.publish(
                    single(encoder.encode(EventRecord.sample(EventType.SAMPLE_COMPLETE, -1 - edge, "edge " + edge))));
        }
        byte[] upToTimestamp = HexFormat.of()
                .parseHex("82aa6576656e745f74797065ad73616d706c652e697373756564ac74696d657374616d705f6e73");
        for (String timestamp : List.of("cf8000000000000000", "cfffffffffffffffff", "cb7ff0000000000000", "c0")) {
            sendMalformed(concat(upToTimestamp, HexFormat.of().parseHex(timestamp)));
        }
    }

    /** Sends empty frames, random bytes, and batches with one malformed record, all between valid ones. */
    private void sendNoise() throws IOException {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("HostileInputIT seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        for (int length = 0; length <= Topic.LENGTH; length += 5) {
            publisher.publish(new byte[length]);
            empty++;
        }
        for (int i = 0; i < 2000; i++) {
            byte[] noise = new byte[1 + random.nextInt(200)];
            random.nextBytes(noise);
            noise[0] = (byte) 0xc1;
            sendMalformed(noise);
            publisher.publish(single(good(++goodOnes)));
        }
        byte[] batch = encoder.encodeBatch(List.of(good(++goodOnes), new byte[] {(byte) 0xc1}, good(++goodOnes)));
        publisher.publish(Topic.frame(Topic.BATCH, batch));
        malformed++;
    }

    /** Sends 20 MiB in one binary of an unknown key, which is large and valid. */
    private void sendOneLargeFrame() throws IOException {
        ByteBuffer large = ByteBuffer.allocate(20 << 20).put(withUnknown(new byte[] {(byte) 0xc6}));
        large.putInt(large.remaining() - 4);
        publisher.publish(single(large.array()));
    }
}
