package io.metricsaggregator.fold;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The lengths of all outputs, of samples behind the end of tracking too, beside those of tracked samples. */
class CountUntrackedTest {
    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));

    private LoadgenFold run(boolean countUntracked) {
        LoadgenFold fold = new LoadgenFold(
                registry,
                new RecordLedger(),
                new FoldOptions(Streaming.ON, 1000, 1 << 20, 1, null, TimeCut.NONE, false, TokenSource.USAGE)
                        .withConversations(10, 10, countUntracked));
        apply(fold, EventRecord.session(EventType.SESSION_STARTED, 0));
        sample(fold, 1, "warm-up", 1);
        apply(fold, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 5));
        sample(fold, 6, "tracked", 20);
        apply(fold, EventRecord.session(EventType.SESSION_STOP_PERFORMANCE_TRACKING, 10));
        sample(fold, 11, "tail", 300);
        return fold;
    }

    private static void sample(LoadgenFold fold, long at, String id, int tokens) {
        apply(
                fold,
                EventRecord.sample(EventType.SAMPLE_ISSUED, at, id),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, at + 1, id).withUsage(Usage.of(10, tokens)));
    }

    private @Nullable SeriesMetric series(String name) {
        for (Metric each : registry.renderExact(registry.newCopy(), false, () -> false)) {
            if (each.name().equals(name)) {
                return (SeriesMetric) each;
            }
        }
        return null;
    }

    @Test
    void theTailCountsInOslAllAloneAndTheWarmUpInNeither() {
        LoadgenFold fold = run(true);
        assertThat(series("osl_all")).isNotNull();
        assertThat(series("osl_all").total()).isEqualTo(320L);
        assertThat(series("osl_all").count()).isEqualTo(2);
        assertThat(series("osl").total()).isEqualTo(20L);
        assertThat(fold.optional().interactivity().samples()).isEqualTo(1);
    }

    @Test
    void aRunThatCountsTrackedOutputsOnlyHasNoSuchSeries() {
        run(false);
        assertThat(series("osl_all")).isNull();
        assertThat(series("osl").total()).isEqualTo(20L);
    }
}
