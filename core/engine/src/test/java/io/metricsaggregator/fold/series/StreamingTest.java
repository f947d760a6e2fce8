package io.metricsaggregator.fold.series;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.Events;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Slices;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The series of streamed answers of a run, by its flags and by the events it receives. */
class StreamingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> STREAMED = List.of("ttft_ns", "chunk_delta_ns", "tpot_ns", "failed_ttft_ns");

    private Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private LoadgenFold fold;

    private void fold(Streaming streaming) {
        registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        fold = new LoadgenFold(
                registry, new RecordLedger(), new FoldOptions(streaming, 1000, 1 << 20, 1, null, TimeCut.NONE, false));
        apply(fold, EventRecord.session(EventType.SESSION_STARTED, SECOND));
    }

    private static EventRecord at(long seconds, EventType type, String id) {
        return EventRecord.sample(type, seconds * SECOND, id);
    }

    private void track() {
        apply(fold, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, SECOND));
    }

    private void streamOne(String id) {
        apply(
                fold,
                at(2, EventType.SAMPLE_ISSUED, id).scheduledAt(SECOND),
                at(3, EventType.SAMPLE_RECV_FIRST, id),
                at(5, EventType.SAMPLE_RECV_NON_FIRST, id),
                at(6, EventType.ERROR_CLIENT, id),
                at(7, EventType.SAMPLE_COMPLETE, id));
    }

    private Map<String, SeriesMetric> series() {
        Map<String, SeriesMetric> byName = new TreeMap<>();
        for (Metric metric : registry.renderExact(registry.newCopy(), false, () -> false)) {
            if (metric instanceof SeriesMetric each) {
                byName.put(each.name(), each);
            }
        }
        return byName;
    }

    private List<String> sliceColumns() {
        return fold.slices().columns().stream().map(Slices.Column::name).toList();
    }

    @Test
    void detectedSeriesEqualThoseOfAForcedRun() {
        fold(Streaming.ON);
        track();
        streamOne("a");
        Map<String, SeriesMetric> forced = series();
        List<String> columns = sliceColumns();
        fold(Streaming.AUTO);
        track();
        assertThat(series().keySet()).doesNotContainAnyElementsOf(STREAMED);
        streamOne("a");
        assertThat(series()).usingRecursiveComparison().isEqualTo(forced);
        assertThat(series().get("ttft_ns").count()).isEqualTo(1);
        assertThat(series().get("response_ttft_ns").count()).as("of successes").isZero();
        assertThat(sliceColumns()).isEqualTo(columns).contains("ttft_p50_ns");
    }

    @Test
    void withoutChunksADetectingRunHasNoStreamingSeries() {
        fold(Streaming.AUTO);
        track();
        apply(fold, at(2, EventType.SAMPLE_ISSUED, "a"), at(3, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(series().keySet()).doesNotContainAnyElementsOf(STREAMED).contains("sample_latency_ns");
        assertThat(sliceColumns()).doesNotContain("ttft_p50_ns");
    }

    @Test
    void chunksOfAnUntrackedSampleAreNotRecorded() {
        fold(Streaming.AUTO);
        streamOne("warm-up");
        assertThat(series().keySet()).doesNotContainAnyElementsOf(STREAMED);
    }

    @Test
    void forcedOffTheSeriesAreAbsentEvenIfChunksArrive() {
        fold(Streaming.OFF);
        track();
        streamOne("a");
        assertThat(series().keySet()).doesNotContainAnyElementsOf(STREAMED).doesNotContain("response_ttft_ns");
        assertThat(sliceColumns()).doesNotContain("ttft_p50_ns");
        assertThat(series().get("sample_latency_ns").count()).isEqualTo(1);
    }

    @Test
    void afterTheFirstChunkDetectionAllocatesNothing() {
        fold(Streaming.AUTO);
        track();
        streamOne("a");
        List<DecodedEvent> stream = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            String id = String.format("%032x", i % 500);
            stream.add(Events.decoded(at(2, EventType.SAMPLE_ISSUED, id)));
            stream.add(Events.decoded(at(3, EventType.SAMPLE_RECV_FIRST, id)));
            stream.add(Events.decoded(at(4, EventType.SAMPLE_RECV_NON_FIRST, id)));
            stream.add(Events.decoded(at(5, EventType.SAMPLE_COMPLETE, id)));
        }
        DecodedEvent[] one = new DecodedEvent[1];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (DecodedEvent each : stream) {
                one[0] = each;
                fold.apply(one, 1);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        // Raw values occasionally take a slab: far less than a byte per event.
        assertThat((double) least / stream.size()).isLessThan(8);
    }
}
