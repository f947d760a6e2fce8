package io.metricsaggregator.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.Seed;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random histories in any order and with repetitions: the fold and the plain model agree. */
class FoldModelTest {
    private static final int HISTORIES = 700;

    @ParameterizedTest
    @EnumSource
    void anyHistoryYieldsTheResultOfTheModel(Streaming streaming) {
        Random random = new Random(Seed.next(FoldModelTest.class));
        for (int history = 0; history < HISTORIES; history++) {
            Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
            RecordLedger ledger = new RecordLedger();
            LoadgenFold fold = new LoadgenFold(
                    registry,
                    ledger,
                    new FoldOptions(
                            streaming, 1_000_000, Long.MAX_VALUE, random.nextLong(), null, TimeCut.NONE, false));
            FoldModel model = new FoldModel(streaming != Streaming.OFF);
            List<EventRecord> events = history(random);
            DecodedEvent[] block = new DecodedEvent[events.size()];
            for (int i = 0; i < block.length; i++) {
                block[i] = Events.decoded(events.get(i));
                model.apply(events.get(i));
            }
            fold.apply(block, block.length);
            fold.refresh();
            model.finish();
            assertSame(registry, model, events);
            assertThat(ledger.recordsAccounted()).isEqualTo(events.size());
            assertSamplesAddUp(registry, fold, events);
            assertThat(ids(fold, SlowSample.LATENCY)).as("%s", events).isEqualTo(FoldModel.slowest(model.latencies));
            assertThat(ids(fold, SlowSample.TTFT)).as("%s", events).isEqualTo(FoldModel.slowest(model.firsts));
        }
    }

    @Test
    void sample_counts_add_up_with_evictions() {
        Random random = new Random(Seed.next(FoldModelTest.class));
        for (int history = 0; history < HISTORIES / 10; history++) {
            Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
            LoadgenFold fold = new LoadgenFold(
                    registry,
                    new RecordLedger(),
                    new FoldOptions(false, 1 + random.nextInt(4), Long.MAX_VALUE, random.nextLong()));
            List<EventRecord> events = history(random);
            events.forEach(event -> Events.apply(fold, event));
            assertSamplesAddUp(registry, fold, events);
        }
    }

    private static void assertSamplesAddUp(Registry registry, LoadgenFold fold, List<EventRecord> events) {
        MetricsSnapshot snapshot = new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                registry.renderExact(registry.newCopy(), false, () -> false),
                SnapshotExtensions.NONE);
        assertThat(snapshot.counterValue("total_samples_issued") + snapshot.counterValue("completions_orphan"))
                .as("%s", events)
                .isEqualTo(snapshot.counterValue("total_samples_completed")
                        + fold.inFlight(0).count()
                        + snapshot.counterValue("inflight_evicted")
                        + snapshot.counterValue("samples_reissued"));
    }

    private static List<String> ids(LoadgenFold fold, String by) {
        return fold.slowest().stream()
                .filter(each -> each.by().equals(by))
                .map(SlowSample::id)
                .toList();
    }

    private static void assertSame(Registry registry, FoldModel model, List<EventRecord> events) {
        List<Metric> metrics = registry.renderExact(registry.newCopy(), false, () -> false);
        MetricsSnapshot snapshot =
                new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, metrics, SnapshotExtensions.NONE);
        // Series of successes exist only where failures would otherwise be mixed in.
        assertThat(metrics)
                .extracting(Metric::name)
                .containsAll(model.series.keySet().stream()
                        .filter(name -> !name.startsWith("succeeded_"))
                        .toList());
        for (Metric metric : metrics) {
            if (metric instanceof SeriesMetric series && !series.name().startsWith("failed_")) {
                List<Long> values = new ArrayList<>(model.series.getOrDefault(series.name(), List.of()));
                assertThat(series.count()).as("%s of %s", series.name(), events).isEqualTo(values.size());
                if (!values.isEmpty()) {
                    BigInteger total =
                            values.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
                    assertThat(series.total()).isEqualTo(SeriesMetric.whole(total));
                    Collections.sort(values);
                    assertThat(series.min()).isEqualTo(values.get(0));
                    assertThat(series.max()).isEqualTo(values.get(values.size() - 1));
                    if (!Objects.requireNonNull(series.detail()).exact()) {
                        // Values of samples that never completed remain too.
                        assertThat(series.name()).isEqualTo("succeeded_ttft_ns");
                        continue;
                    }
                    assertInterpolated(series, values);
                    assertThat(series.percentiles().get("50.0")).isEqualTo((double)
                            values.get((int) Math.floor(0.5 * (values.size() - 1))));
                }
            }
        }
        for (String counter : List.of(
                "total_samples_issued",
                "total_samples_completed",
                "total_samples_failed",
                "tracked_samples_issued",
                "tracked_samples_completed",
                "tracked_samples_failed",
                "tracked_finish_reason_stop",
                "tracked_finish_reason_other",
                "tracked_samples_succeeded",
                "tracked_samples_errored",
                "succeeded_duration_ns",
                "tracked_duration_ns",
                "legacy_loadgen_window_duration_ns",
                "total_duration_ns")) {
            assertThat(snapshot.counterValue(counter))
                    .as("%s of %s", counter, events)
                    .isEqualTo(model.counters.getOrDefault(counter, 0L));
        }
        Ledger ledger = Ledger.of(snapshot);
        assertThat(ledger.balanced()).isTrue();
        assertThat(ledger.received()).isEqualTo(model.received);
        assertThat(ledger.late()).isEqualTo(model.late);
    }

    /** Compares with numpy's percentile in its default method. */
    private static void assertInterpolated(SeriesMetric series, List<Long> sorted) {
        SeriesDetail detail = Objects.requireNonNull(series.detail());
        for (String key : List.of("99.0", "50.0", "1.0")) {
            double place = Double.parseDouble(key) / 100 * (sorted.size() - 1);
            double low = sorted.get((int) place);
            double high = sorted.get(Math.min(sorted.size() - 1, (int) place + 1));
            assertThat(detail.interpolated().get(key))
                    .isCloseTo(
                            low + (place - Math.floor(place)) * (high - low),
                            within(1e-12 * Math.max(Math.abs(low), Math.abs(high)) + 1e-9));
        }
    }

    private static List<EventRecord> history(Random random) {
        List<EventRecord> events = new ArrayList<>();
        int length = random.nextInt(120);
        long now = 1_000_000;
        int samples = 1 + random.nextInt(8);
        for (int i = 0; i < length; i++) {
            now += random.nextInt(1000) - 100;
            long at = random.nextInt(40) == 0 ? random.nextLong() >> 2 : now;
            String id = random.nextInt(20) == 0 ? "" : "sample " + random.nextInt(samples);
            EventRecord event = switch (random.nextInt(24)) {
                case 0 -> EventRecord.session(EventType.SESSION_STARTED, at);
                case 1, 2 -> EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, at);
                case 3 -> EventRecord.session(EventType.SESSION_STOP_PERFORMANCE_TRACKING, at);
                case 4 ->
                    EventRecord.session(
                            switch (random.nextInt(3)) {
                                case 0 -> EventType.SESSION_INTERRUPTED;
                                case 1 -> EventType.SESSION_PHASE_START;
                                default -> EventType.SESSION_STOP_LOADGEN;
                            },
                            at);
                case 5 ->
                    EventRecord.session(
                            random.nextInt(12) == 0 ? EventType.SESSION_ENDED : EventType.SESSION_STOP_LOADGEN, at);
                case 6, 7 -> EventRecord.sample(EventType.ERROR_CLIENT, at, id).withData(new ErrorData("E", "m"));
                case 8, 9, 10, 11, 12 ->
                    EventRecord.sample(EventType.SAMPLE_ISSUED, at, id)
                            .withData(PromptData.ofTokenIds(Collections.nCopies(random.nextInt(4), 7L)));
                case 13, 14, 15, 16 -> EventRecord.sample(EventType.SAMPLE_RECV_FIRST, at, id);
                case 17, 18, 19 -> EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, at, id);
                default -> {
                    EventRecord complete = EventRecord.sample(EventType.SAMPLE_COMPLETE, at, id);
                    yield switch (random.nextInt(3)) {
                        case 0 -> complete;
                        case 1 -> complete.withFinishReason("stop");
                        default -> complete.withFinishReason("whatever");
                    };
                }
            };
            events.add(event);
        }
        return events;
    }
}
