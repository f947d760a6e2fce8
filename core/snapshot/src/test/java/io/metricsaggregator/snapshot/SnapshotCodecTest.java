package io.metricsaggregator.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.Golden;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Seed;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.snapshot.figures.ClockOffset;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

public class SnapshotCodecTest {
    private final MsgpackSnapshotCodec msgpack = new MsgpackSnapshotCodec();
    private final JsonSnapshotCodec json = new JsonSnapshotCodec();

    @TestFactory
    Stream<DynamicTest> readsAndWritesTheRealSnapshotsInBothForms() throws IOException {
        List<?> vectors = (List<?>) Golden.vectors().get("metrics_snapshots");
        assertThat(vectors).hasSize(6);
        return vectors.stream()
                .map(vector -> (Map<?, ?>) vector)
                .map(vector -> DynamicTest.dynamicTest((String) vector.get("name"), () -> check(vector)));
    }

    private void check(Map<?, ?> vector) throws IOException {
        byte[] bytes = Golden.hex((String) vector.get("hex"));
        MetricsSnapshot snapshot = msgpack.decode(ByteBuffer.wrap(bytes));
        assertThat(snapshot.extensions().isNone()).isTrue();
        assertThat(HexFormat.of().formatHex(msgpack.encode(snapshot))).isEqualTo(vector.get("hex"));
        byte[] asJson = json.encode(snapshot);
        assertThat(JsonTree.read(asJson)).isEqualTo(vector.get("decoded"));
        assertThat(json.decode(ByteBuffer.wrap(asJson))).isEqualTo(snapshot);
    }

    @Test
    void allExtensionsSurviveMessagePackAndJson() throws IOException {
        MetricsSnapshot snapshot = full();
        assertThat(msgpack.decode(ByteBuffer.wrap(msgpack.encode(snapshot))))
                .usingRecursiveComparison()
                .withEqualsForType(TelemetrySnapshots::equals, TelemetrySnapshots.class)
                .isEqualTo(snapshot);
        assertThat(json.decode(ByteBuffer.wrap(json.encode(snapshot))))
                .usingRecursiveComparison()
                .withEqualsForType(TelemetrySnapshots::equals, TelemetrySnapshots.class)
                .isEqualTo(snapshot);
        assertThat(json.decode(ByteBuffer.wrap(json.encodeLine(snapshot))))
                .usingRecursiveComparison()
                .withEqualsForType(TelemetrySnapshots::equals, TelemetrySnapshots.class)
                .isEqualTo(snapshot);
    }

    @Test
    void theRatiosOfReportedUsageAreWrittenForReaders() throws IOException {
        Map<?, ?> usage = (Map<?, ?>) ((Map<?, ?>) JsonTree.read(json.encode(full()))).get("usage");
        assertThat(usage.get("cache_hit_ratio")).isEqualTo(2560.0 / 4200);
        assertThat(usage.get("acceptance_ratio")).isEqualTo(5.0 / 12);
        assertThat(usage.get("acceptance_length")).isEqualTo(1 + 5.0 / 3);
        assertThat(usage.get("spec_histogram")).isEqualTo(Map.of("0", 1L, "2", 1L, "3", 1L));
        assertThat(usage.get("acceptance_by_position")).isEqualTo(List.of(2.0 / 3, 2.0 / 3, 1.0 / 3));
        assertThat(usage.get("totals")).isEqualTo(Map.of("prompt_tokens", 5000L, "spec_drafts", 3L));
    }

    @Test
    void theExtensionsFollowTheCompatibleFields() throws IOException {
        List<?> onWire = (List<?>) new MsgpackTree().read(ByteBuffer.wrap(msgpack.encode(full())));
        assertThat(onWire).hasSize(7);
        assertThat(onWire.get(5)).as("the position of steady_state").isEqualTo(ExampleFigures.anomaly(4.5));
        List<?> series = (List<?>) ((List<?>) onWire.get(4)).get(1);
        assertThat(series.subList(0, 2)).isEqualTo(List.of("series", "sample_latency_ns"));
        assertThat(series).hasSize(11);
        assertThat(series.get(9)).isNull();
        assertThat(series.get(10)).isInstanceOf(Map.class);
        assertThat(JsonTree.read(json.encode(full())).keySet())
                .startsWith("counter", "timestamp_ns", "state", "n_pending_tasks", "metrics");
    }

    /** Schema version 1 has the extensions at the position where MLCommons now has steady_state. */
    @Test
    void extensionsAreReadFromEitherPositionAndASteadyStateMapIsNotMistakenForThem() throws IOException {
        List<?> written = (List<?>) new MsgpackTree().read(ByteBuffer.wrap(msgpack.encode(full())));
        List<@Nullable Object> base = new ArrayList<>(written.subList(0, 5));
        Object extensions = written.get(6);
        Map<String, Object> steady = Map.of("found", true);
        assertThat(decoded(base, extensions).extensions()).as("version 1").isNotNull();
        assertThat(decoded(base, null, extensions).extensions()).as("version 2").isNotNull();
        assertThat(decoded(base, steady, extensions).extensions())
                .as("steady_state and extensions")
                .isNotNull();
        assertThat(decoded(base, extensions, steady).extensions().isNone()).isFalse();
        assertThat(decoded(base, steady).extensions().isNone())
                .as("steady_state alone")
                .isTrue();
        assertThat(decoded(base, steady, null).extensions().isNone()).isTrue();
        assertThat(decoded(base, (Object) null).extensions().isNone()).isTrue();
        assertThat(decoded(base).extensions().isNone()).isTrue();
    }

    private MetricsSnapshot decoded(List<@Nullable Object> base, @Nullable Object... more) throws IOException {
        List<@Nullable Object> parts = new ArrayList<>(base);
        parts.addAll(Arrays.asList(more));
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(parts, packer);
            return msgpack.decode(ByteBuffer.wrap(packer.toByteArray()));
        }
    }

    @Test
    void aTotalBeyondMessagePackIntegersIsRoundedThereAndExactInJson() throws IOException {
        BigInteger uint64 = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
        BigInteger beyond = BigInteger.ONE.shiftLeft(64);
        assertThat(total(msgpack.decode(ByteBuffer.wrap(msgpack.encode(withTotal(uint64))))))
                .isEqualTo(uint64);
        MetricsSnapshot rounded = msgpack.decode(ByteBuffer.wrap(msgpack.encode(withTotal(beyond))));
        assertThat(total(rounded)).isEqualTo(0x1p64);
        assertThat(total(json.decode(ByteBuffer.wrap(json.encode(withTotal(beyond))))))
                .isEqualTo(beyond);
        List<?> onWire = (List<?>) new MsgpackTree().read(ByteBuffer.wrap(msgpack.encode(withTotal(beyond))));
        Map<?, ?> detail = (Map<?, ?>) ((List<?>) ((List<?>) onWire.get(4)).get(0)).get(10);
        assertThat(detail.get("total_rounded")).isEqualTo(true);
    }

    @Test
    void nanAndInfinityAreNullInJson() throws IOException {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("a", Double.NaN);
        document.put("b", Double.POSITIVE_INFINITY);
        document.put("c", 1.0);
        byte[] bytes = JsonTree.write(document);
        assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo("""
                {
                  "a": null,
                  "b": null,
                  "c": 1.0
                }
                """);
    }

    @Test
    void malformedJsonIsRejected() {
        for (String bad : List.of("{\"a\":1,\"a\":2}", "{} {}", "{\"a\":NaN}", "[1]", "", "{\"a\":01}", "{'a':1}")) {
            assertThatThrownBy(() -> JsonTree.read(bad.getBytes(StandardCharsets.UTF_8)))
                    .as(bad)
                    .isInstanceOf(MalformedMessageException.class);
        }
    }

    @Test
    void columnsOfUnequalLengthAreRejectedByName() {
        String written = new String(json.encode(full()), StandardCharsets.UTF_8);
        String cut = written.replaceFirst("\\[\\s*null,\\s*7\\s*\\]", "[null]");
        assertThat(cut).isNotEqualTo(written);
        assertThatThrownBy(() -> json.decode(ByteBuffer.wrap(cut.getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("slices.columns.p99 holds 1 slices, issued holds 2");
    }

    @Test
    void aDamagedSnapshotIsRejectedWithAMalformedMessageException() {
        Random random = Seed.random(SnapshotCodecTest.class);
        byte[] onWire = msgpack.encode(full());
        byte[] onDisk = json.encode(full());
        for (int length = 0; length < onWire.length; length++) {
            byte[] cut = Arrays.copyOf(onWire, length);
            assertThatThrownBy(() -> msgpack.decode(ByteBuffer.wrap(cut)))
                    .isInstanceOf(MalformedMessageException.class);
        }
        for (int round = 0; round < 20_000; round++) {
            flip(onWire, random, bytes -> msgpack.decode(ByteBuffer.wrap(bytes)));
            flip(onDisk, random, bytes -> json.decode(ByteBuffer.wrap(bytes)));
        }
    }

    private interface Decoding {
        void decode(byte[] bytes) throws MalformedMessageException;
    }

    private static void flip(byte[] bytes, Random random, Decoding decoding) {
        byte[] copy = bytes.clone();
        copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
        try {
            decoding.decode(copy);
        } catch (MalformedMessageException expected) {
            assertThat(expected.getMessage()).isNotBlank();
        } catch (IllegalArgumentException negativeCount) {
            assertThat(negativeCount.getMessage()).contains("negative");
        }
    }

    private static Number total(MetricsSnapshot snapshot) {
        return ((SeriesMetric) snapshot.metrics().get(0)).total();
    }

    private static MetricsSnapshot withTotal(BigInteger total) {
        return new MetricsSnapshot(
                1, 2, SessionState.COMPLETE, 0, List.of(series(SeriesMetric.whole(total))), SnapshotExtensions.NONE);
    }

    private static SeriesMetric series(Number total) {
        Map<String, Double> percentiles = new LinkedHashMap<>();
        percentiles.put("99.9", 5.0);
        percentiles.put("50.0", 4.0);
        return new SeriesMetric(
                "sample_latency_ns",
                2,
                total,
                4L,
                5L,
                41.0,
                percentiles,
                List.of(new HistogramBucket(4, 5, 2)),
                null,
                new SeriesDetail(
                        true,
                        1,
                        0,
                        0.7,
                        Map.of("99.0", new Certificate(5.0, 0), "99.9", new Certificate(null, 7)),
                        Map.of("50.0", 4.5),
                        new byte[] {1, 2, 3}));
    }

    public static MetricsSnapshot full() {
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(
                                1,
                                "run",
                                "0.1",
                                1_700_000_000_000_000_000L,
                                1_700_000_001_000_000_000L,
                                List.of("tcp://0.0.0.0:1 is open"),
                                List.of("without worker 7"),
                                Map.of("cpu", "fast"),
                                Map.of("streaming", "true"),
                                null,
                                Map.of("concurrency", "64"),
                                "gpu-1",
                                new ClockOffset(1_699_999_999_000_000_000L, 27)),
                        new SnapshotExtensions.InFlight(3, 2, 1, 9, 77),
                        new Slices(
                                5,
                                1_000_000_000,
                                0,
                                List.of(
                                        new Slices.Column("issued", new long[] {1, 2}),
                                        new Slices.Column("p99", new long[] {Slices.NOT_MEASURED, 7}))))
                .rates(List.of(new Rate(1, 0.9, 10.5, 2, 3, 0, 1e6, 1.5)))
                .workers(List.of(new SnapshotExtensions.WorkerRow("7", 10, 4, 4, 1, 1, 2, 0)))
                .errors(List.of(
                        new SnapshotExtensions.ErrorRow("error.client", "Timeout", 3, "after 3 s\n\u0001é", 1, 2)))
                .malformed(List.of(new SnapshotExtensions.MalformedRow("truncated", 4)))
                .slowest(List.of(
                        new SlowSample(SlowSample.LATENCY, "a", "7", 9, true, 1L, 2, null, null, 11, "0af7", "b7ad"),
                        new SlowSample(SlowSample.TTFT, "b", "", 3, false, null, 2, 5L, 8L, 9)))
                .goodput(new Goodput(
                        List.of(new Goodput.Constraint("ttft", 500, 8), new Goodput.Constraint("latency", 700, 9)),
                        0.9,
                        10,
                        7,
                        1))
                .telemetry(TelemetrySnapshots.of(Map.of(
                        "metric",
                        Map.of("rows", List.of(Map.of("name", "two", "count", 1L))),
                        "newer",
                        Map.of("rows", List.of(1L, "two", 3.5)))))
                .self(new SelfCost(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -1, 16, 17, 18, 19, 20, 21))
                .session(new SessionInfo(true, true, false, 4096L))
                .optional(new OptionalFigures(
                        new ReportedUsage(
                                5,
                                1,
                                2,
                                Map.of(UsageKey.PROMPT_TOKENS, 5000L, UsageKey.SPEC_DRAFTS, 3L),
                                new ReportedUsage.Cache(3, 4200, 2560),
                                new ReportedUsage.Speculation(1, 3, 12, 5, Map.of("0", 1L, "2", 1L, "3", 1L))),
                        ExampleFigures.steady(),
                        ExampleFigures.labels(),
                        EnergyFixture.energy(),
                        ConversationsExample.CONVERSATIONS,
                        new Interactivity(5, 640, 12_000_000_000L),
                        ExampleFigures.progress(),
                        ExampleFigures.serverTimes(),
                        ExampleFigures.jobs(),
                        NodesExample.nodes()))
                .build();
        return new MetricsSnapshot(
                12,
                34,
                SessionState.LIVE,
                0,
                List.of(new CounterMetric("total_samples_issued", 4), series(9L)),
                extensions);
    }

    @Test
    void theSixthElementIsTheNewerMapOfMlcommonsAndNilWithoutAJudgement() throws MalformedMessageException {
        MetricsSnapshot judged = full();
        assertThat(((List<?>) new MsgpackTree().read(ByteBuffer.wrap(msgpack.encode(judged)))).get(5))
                .isEqualTo(ExampleFigures.anomaly(4.5));
        SteadyState unjudged =
                ExampleFigures.steady().with(null, new SuperPasses(4096, "the memory for values was full", null));
        MetricsSnapshot without = new MetricsSnapshot(
                1, 2, SessionState.COMPLETE, 0, List.of(), judged.extensions().withSteady(unjudged));
        byte[] frame = msgpack.encode(without);
        assertThat(((List<?>) new MsgpackTree().read(ByteBuffer.wrap(frame))).get(5))
                .isNull();
        SnapshotExtensions read = msgpack.decode(ByteBuffer.wrap(frame)).extensions();
        assertThat(read.optional().steady()).isEqualTo(unjudged);
    }
}
