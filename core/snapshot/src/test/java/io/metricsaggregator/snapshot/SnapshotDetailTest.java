package io.metricsaggregator.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.snapshot.figures.Completeness;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SnapshotDetailTest {
    private int computed;

    private Map<String, Object> telemetry() {
        Map<Integer, Integer> keys = new LinkedHashMap<>();
        IntStream.range(0, 1000).forEach(i -> keys.put(i, i));
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("overall", Map.of("times", Map.of()));
        operation.put("by_key", LazyTree.map(keys, (key, value) -> {
            computed++;
            return Map.of("n", (long) value);
        }));
        Map<String, Object> metric = new LinkedHashMap<>();
        metric.put("rows", LazyTree.list(List.of("a", "b"), name -> Map.of("name", name, "values", List.of(1L, 2L))));
        return Map.of("operation", operation, "metric", metric);
    }

    private MetricsSnapshot snapshot() {
        return new MetricsSnapshot(
                3,
                4,
                SessionState.COMPLETE,
                0,
                List.of(new CounterMetric("records_applied", 7)),
                SnapshotExtensions.of(
                                new RunInfo(2, "r", "v", 1, 2, List.of(), List.of(), Map.of(), Map.of()),
                                new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                                new Slices(0, 1, 0, List.of()))
                        .workers(List.of(new SnapshotExtensions.WorkerRow("w", 1, 1, 1, 0, 0, 0, 0)))
                        .telemetry(TelemetrySnapshots.of(telemetry()))
                        .completeness(Completeness.whole(Map.of("in_flight", 5L)))
                        .build());
    }

    private static Map<String, ?> written(MetricsSnapshot snapshot) throws Exception {
        return JsonTree.read(new JsonSnapshotCodec().encode(snapshot));
    }

    @Test
    void streamedEncodingEqualsWholeEncodingAndComputesEachViewOnce() throws Exception {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        new JsonSnapshotCodec().write(snapshot(), stream);
        assertThat(computed).isEqualTo(1000);
        assertThat(stream.toByteArray()).isEqualTo(new JsonSnapshotCodec().encode(snapshot()));
    }

    @Test
    void eachReductionOmitsMoreAndListsWhatItOmits() throws Exception {
        SnapshotExtensions keys = SnapshotDetail.WITHOUT_KEYS.of(snapshot()).extensions();
        assertThat(keys.completeness().leftOut()).containsExactly("observations.operation.by_key");
        assertThat(keys.telemetry().tree().get("operation").toString()).isEqualTo("{overall={times={}}}");
        MetricsSnapshot timelines = SnapshotDetail.WITHOUT_TIMELINES.of(snapshot());
        assertThat(timelines.extensions().completeness().leftOut())
                .containsExactly("observations.operation.by_key", "observations.metric.rows.values");
        assertThat(written(timelines).toString()).contains("name=a").doesNotContain("values=");
        MetricsSnapshot figures = SnapshotDetail.FIGURES.of(snapshot());
        assertThat(figures.extensions().telemetry().tree()).isEmpty();
        assertThat(figures.extensions().completeness().leftOut()).contains("observations", "workers");
        assertThat(figures.counterValue("records_applied")).isEqualTo(7);
        assertThat(computed).as("omitted parts are not computed").isZero();
        assertThat(SnapshotDetail.ALL.of(snapshot()).extensions().completeness().leftOut())
                .isEmpty();
    }

    @Test
    void omittedPartsAndLimitsAreReadBackFromBothEncodings() throws Exception {
        MetricsSnapshot sent = SnapshotDetail.WITHOUT_KEYS.of(snapshot());
        MsgpackSnapshotCodec wire = new MsgpackSnapshotCodec();
        for (MetricsSnapshot read : List.of(
                new JsonSnapshotCodec().decode(ByteBuffer.wrap(new JsonSnapshotCodec().encode(sent))),
                wire.decode(ByteBuffer.wrap(wire.encode(sent))))) {
            assertThat(read.extensions().completeness())
                    .isEqualTo(sent.extensions().completeness());
        }
    }

    @Test
    void encodingStopsAtTheFrameLimit() {
        MsgpackSnapshotCodec wire = new MsgpackSnapshotCodec();
        byte[] whole = wire.encode(snapshot());
        assertThat(wire.encode(snapshot(), whole.length)).isEqualTo(whole);
        assertThat(wire.encode(snapshot(), whole.length - 1)).isNull();
    }
}
