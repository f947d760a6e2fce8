package io.metricsaggregator.fold;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PhaseData;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.SessionInfo;
import org.junit.jupiter.api.Test;

/** Session events of newer MLCommons endpoints: interrupts and announced phase sizes. */
class SessionFoldTest {
    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final LoadgenFold fold =
            new LoadgenFold(registry, new RecordLedger(), new FoldOptions(true, 1000, Long.MAX_VALUE, 1));

    private static EventRecord session(EventType type) {
        return EventRecord.session(type, 1000);
    }

    private static EventRecord phase(String type, Long turns) {
        return session(EventType.SESSION_PHASE_START).withData(new PhaseData(type, true, turns));
    }

    private long counter(String name) {
        return registry.renderExact(registry.newCopy(), false, () -> false).stream()
                .filter(metric -> metric.name().equals(name))
                .map(CounterMetric.class::cast)
                .findFirst()
                .orElseThrow()
                .value();
    }

    @Test
    void theSessionIsAbsentBeforeTheFirstEvent() {
        assertThat(fold.session()).isEqualTo(new SessionInfo(false, false, false, null));
    }

    @Test
    void anInterruptIsKeptAndDoesNotEndTheSession() {
        apply(
                fold,
                session(EventType.SESSION_STARTED),
                session(EventType.SESSION_START_PERFORMANCE_TRACKING),
                session(EventType.SESSION_INTERRUPTED));
        assertThat(fold.isEnded()).isFalse();
        assertThat(fold.isInterrupted()).isTrue();
        apply(
                fold,
                EventRecord.sample(EventType.SAMPLE_ISSUED, 2000, "a"),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 3000, "a"),
                session(EventType.SESSION_INTERRUPTED),
                session(EventType.SESSION_ENDED),
                session(EventType.SESSION_INTERRUPTED));
        assertThat(fold.isEnded()).isTrue();
        assertThat(fold.session()).isEqualTo(new SessionInfo(true, true, true, null));
        assertThat(counter("session_interrupts"))
                .as("the last interrupt came after the end")
                .isEqualTo(2);
        assertThat(counter("tracked_samples_completed")).isEqualTo(1);
        assertThat(counter("total_samples_failed")).isZero();
        assertThat(counter("records_applied")).isEqualTo(6);
        assertThat(counter("events_duplicate")).isEqualTo(1);
        assertThat(counter("events_late")).isEqualTo(1);
    }

    @Test
    void theFirstPerformancePhaseThatAnnouncesASizeSetsIt() {
        apply(fold, session(EventType.SESSION_STARTED), session(EventType.SESSION_PHASE_START));
        apply(fold, phase("warmup", 7L), phase("performance", null));
        assertThat(fold.session().superPassSize()).isNull();
        apply(fold, phase("performance", 4096L), phase("performance", 8192L));
        assertThat(fold.session().superPassSize()).isEqualTo(4096L);
        assertThat(counter("records_applied")).isEqualTo(6);
        assertThat(counter("records_unknown")).isZero();
    }
}
