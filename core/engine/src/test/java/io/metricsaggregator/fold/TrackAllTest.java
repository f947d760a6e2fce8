package io.metricsaggregator.fold;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import org.junit.jupiter.api.Test;

/** Runs in which every sample is tracked, whatever the session events are. */
class TrackAllTest {
    private static final long SECOND = 1_000_000_000L;

    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));

    private LoadgenFold fold(TimeCut cut) {
        return new LoadgenFold(
                registry, new RecordLedger(), new FoldOptions(Streaming.AUTO, 1000, 1 << 20, 1, null, cut, true));
    }

    private static EventRecord at(long seconds, EventType type, String id) {
        return EventRecord.sample(type, seconds * SECOND, id);
    }

    private static EventRecord session(long seconds, EventType type) {
        return EventRecord.session(type, seconds * SECOND);
    }

    private MetricsSnapshot snapshot(LoadgenFold fold) {
        fold.refresh();
        return new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                registry.renderExact(registry.newCopy(), false, () -> false),
                SnapshotExtensions.NONE);
    }

    @Test
    void withAMissedSessionStartSamplesCountFromTheFirstRecord() {
        LoadgenFold fold = fold(TimeCut.NONE);
        assertThat(fold.isStarted()).isFalse();
        apply(fold, at(10, EventType.SAMPLE_ISSUED, "a"), at(12, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(fold.isStarted()).isTrue();
        apply(fold, at(13, EventType.SAMPLE_ISSUED, "b"), at(16, EventType.SAMPLE_COMPLETE, "b"));
        MetricsSnapshot snapshot = snapshot(fold);
        assertThat(snapshot.counterValue("tracked_samples_completed")).isEqualTo(2);
        assertThat(snapshot.series("sample_latency_ns").total()).isEqualTo(5 * SECOND);
        assertThat(snapshot.counterValue("tracked_duration_ns")).isEqualTo(6 * SECOND);
        assertThat(snapshot.counterValue("total_duration_ns")).isEqualTo(6 * SECOND);
        assertThat(fold.slices().length()).isEqualTo(7);
        assertThat(fold.session()).isEqualTo(new SessionInfo(false, true, false, null));
    }

    @Test
    void sessionEventsNeitherStartNorStopTracking() {
        LoadgenFold fold = fold(TimeCut.NONE);
        apply(
                fold,
                session(1, EventType.SESSION_STARTED),
                at(2, EventType.SAMPLE_ISSUED, "warm-up"),
                at(3, EventType.SAMPLE_COMPLETE, "warm-up"),
                session(4, EventType.SESSION_START_PERFORMANCE_TRACKING),
                session(5, EventType.SESSION_STOP_PERFORMANCE_TRACKING),
                at(6, EventType.SAMPLE_ISSUED, "after"),
                at(8, EventType.SAMPLE_COMPLETE, "after"),
                session(9, EventType.SESSION_ENDED));
        MetricsSnapshot snapshot = snapshot(fold);
        assertThat(snapshot.counterValue("tracked_samples_completed")).isEqualTo(2);
        assertThat(snapshot.counterValue("records_applied")).isEqualTo(8);
        assertThat(snapshot.counterValue("events_duplicate")).isZero();
        assertThat(fold.session()).isEqualTo(new SessionInfo(true, true, false, null));
        assertThat(fold.isEnded()).isTrue();
    }

    @Test
    void aTimeWindowStillApplies() {
        LoadgenFold fold = fold(new TimeCut(0, 5 * SECOND, Long.MAX_VALUE));
        apply(fold, at(10, EventType.SAMPLE_ISSUED, "a"), at(12, EventType.SAMPLE_COMPLETE, "a"));
        apply(fold, at(15, EventType.SAMPLE_ISSUED, "b"), at(16, EventType.SAMPLE_COMPLETE, "b"));
        assertThat(snapshot(fold).counterValue("tracked_samples_completed")).isEqualTo(1);
    }
}
