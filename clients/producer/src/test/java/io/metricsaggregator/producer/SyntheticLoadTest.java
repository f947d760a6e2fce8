package io.metricsaggregator.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SyntheticLoadTest {
    private static final long SECOND = 1_000_000_000L;

    private static SyntheticLoad.Shape shape(boolean streaming, long seed) {
        return new SyntheticLoad.Shape(50, 20 * SECOND, 2 * SECOND, streaming, 0.1, 3, 20, 100, 10, seed);
    }

    private static List<EventRecord> events(SyntheticLoad.Shape shape) {
        SyntheticLoad load = new SyntheticLoad(shape, 5 * SECOND);
        List<EventRecord> events = new ArrayList<>();
        for (EventRecord event = load.next(); event != null; event = load.next()) {
            events.add(event);
        }
        return events;
    }

    @Test
    void equalSeedsGiveEqualEventsAndDifferentSeedsDifferentEvents() {
        assertThat(events(shape(true, 1))).isEqualTo(events(shape(true, 1)));
        assertThat(events(shape(true, 1))).isNotEqualTo(events(shape(true, 2)));
    }

    @Test
    void eventsAreOrderedByTimeAndWithinEachSample() {
        List<EventRecord> events = events(shape(true, 3));
        assertThat(events.get(0).type()).isEqualTo(EventType.SESSION_STARTED);
        assertThat(events.get(events.size() - 1).type()).isEqualTo(EventType.SESSION_ENDED);
        long last = 0;
        Set<String> inFlight = new HashSet<>();
        Map<EventType, Integer> counts = new EnumMap<>(EventType.class);
        for (EventRecord event : events) {
            assertThat(event.timestampNanos()).isGreaterThanOrEqualTo(last);
            last = event.timestampNanos();
            counts.merge(event.type(), 1, Integer::sum);
            switch (event.type()) {
                case SAMPLE_ISSUED ->
                    assertThat(inFlight.add(event.sampleUuid())).isTrue();
                case SAMPLE_COMPLETE ->
                    assertThat(inFlight.remove(event.sampleUuid())).isTrue();
                case SAMPLE_RECV_FIRST, SAMPLE_RECV_NON_FIRST, ERROR_CLIENT ->
                    assertThat(inFlight).contains(event.sampleUuid());
                default -> assertThat(event.sampleUuid()).isEmpty();
            }
        }
        assertThat(inFlight).isEmpty();
        assertThat(counts.get(EventType.SAMPLE_ISSUED)).isBetween(850, 1150);
        assertThat(counts.get(EventType.ERROR_CLIENT)).isBetween(60, 150);
        assertThat(counts).containsEntry(EventType.SESSION_START_PERFORMANCE_TRACKING, 1);
        assertThat(counts).containsEntry(EventType.SESSION_STOP_PERFORMANCE_TRACKING, 1);
    }

    @Test
    void eachWorkerNumbersItsRecordsWithoutAGap() {
        long[] next = new long[3];
        for (EventRecord event : events(shape(false, 4))) {
            assertThat(event.sequence()).isEqualTo(next[(int) (long) event.workerId()]++);
            assertThat(event.type()).isNotIn(EventType.SAMPLE_RECV_FIRST, EventType.SAMPLE_RECV_NON_FIRST);
        }
        assertThat(next).doesNotContain(0);
    }

    @Test
    void anInvalidShapeIsNamedInTheError() {
        assertThatThrownBy(() -> new SyntheticLoad.Shape(0, 1, 0, true, 0, 1, 1, 1, 1, 1))
                .hasMessageContaining("rate");
        assertThatThrownBy(() -> new SyntheticLoad.Shape(1, 1, 1, true, 0, 1, 1, 1, 1, 1))
                .hasMessageContaining("warm-up");
        assertThatThrownBy(() -> new SyntheticLoad.Shape(1, 1, 0, true, 2, 1, 1, 1, 1, 1))
                .hasMessageContaining("errors");
    }
}
