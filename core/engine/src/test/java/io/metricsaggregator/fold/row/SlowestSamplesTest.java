package io.metricsaggregator.fold.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.Events;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlowestSamplesTest {
    private final LoadgenFold fold = new LoadgenFold(
            new Registry(3, 30, new RawBudget(Long.MAX_VALUE)),
            new RecordLedger(),
            new FoldOptions(true, 1000, Long.MAX_VALUE, 1));

    private List<SlowSample> by(String what) {
        return fold.slowest().stream().filter(each -> each.by().equals(what)).toList();
    }

    @Test
    void theSlowestSamplesAreKeptInOrderAndTiesKeepTheFirst() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Events.apply(
                fold,
                EventRecord.session(EventType.SESSION_STARTED, 0),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
        List<SlowSample> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String id = i % 2 == 0 ? "s" + i : "a long id, longer than two longs hold, " + i;
            long issued = 1000L * i;
            long latency = random.nextInt(60);
            Events.apply(
                    fold,
                    EventRecord.sample(EventType.SAMPLE_ISSUED, issued, id),
                    EventRecord.sample(EventType.SAMPLE_COMPLETE, issued + latency, id));
            all.add(new SlowSample("latency", id, "", latency, false, null, issued, null, null, issued + latency));
        }
        // The sort is stable: of equal samples the first stays in front.
        all.sort(Comparator.comparingLong(SlowSample::nanos).reversed());
        assertThat(by(SlowSample.LATENCY)).isEqualTo(all.subList(0, SlowestSamples.ROWS));
        assertThat(by(SlowSample.TTFT)).isEmpty();
    }

    @Test
    void aSampleHasTheTraceOfItsLastIssueAndARowThatIsUsedAgainNotThatOfItsLastSample() {
        Events.apply(
                fold,
                EventRecord.session(EventType.SESSION_STARTED, 0),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
        String traced = "00-0af7651916cd43dd8448eb211c80319c-%016x-01";
        EventRecord retried = EventRecord.sample(EventType.SAMPLE_ISSUED, 1, "a");
        Events.apply(
                fold,
                retried.withTraceparent(traced.formatted(1)),
                EventRecord.sample(EventType.SAMPLE_ISSUED, 2, "a").withTraceparent(traced.formatted(0xb7)),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 22, "a"),
                EventRecord.sample(EventType.SAMPLE_ISSUED, 30, "b"),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 40, "b"),
                EventRecord.sample(EventType.SAMPLE_ISSUED, 50, "c").withTraceparent("00-none"),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 55, "c"));
        assertThat(by(SlowSample.LATENCY))
                .extracting(SlowSample::id, SlowSample::traceId, SlowSample::spanId)
                .containsExactly(
                        tuple("a", "0af7651916cd43dd8448eb211c80319c", "00000000000000b7"),
                        tuple("b", null, null),
                        tuple("c", null, null));
    }

    @Test
    void aSampleKeepsItsOutcomeAndUntrackedSamplesAreIgnored() {
        Events.apply(
                fold,
                EventRecord.session(EventType.SESSION_STARTED, 0),
                EventRecord.sample(EventType.SAMPLE_ISSUED, 1, "untracked"),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 2),
                EventRecord.sample(EventType.SAMPLE_ISSUED, 10, "a"),
                EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 14, "a"),
                EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, 17, "a"),
                EventRecord.sample(EventType.ERROR_GENERIC, 18, "a"),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 20, "a"),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 2000, "untracked"));
        assertThat(fold.slowest())
                .containsExactly(
                        new SlowSample("latency", "a", "", 10, true, null, 10, 14L, 17L, 20),
                        new SlowSample("ttft", "a", "", 4, true, null, 10, 14L, 17L, 20));
    }

    @Test
    void a_sample_with_one_chunk_has_no_last_one() {
        Events.apply(
                fold,
                EventRecord.session(EventType.SESSION_STARTED, 0),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0),
                EventRecord.sample(EventType.SAMPLE_ISSUED, 10, "a"),
                EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 14, "a"),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 20, "a"));
        assertThat(fold.slowest())
                .containsExactly(
                        new SlowSample("latency", "a", "", 10, false, null, 10, 14L, null, 20),
                        new SlowSample("ttft", "a", "", 4, false, null, 10, 14L, null, 20));
    }

    @Test
    void aLongIdIsKeptUpToItsLimit() {
        String id = "x".repeat(5000);
        Events.apply(
                fold,
                EventRecord.session(EventType.SESSION_STARTED, 0),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0),
                EventRecord.sample(EventType.SAMPLE_ISSUED, 1, id),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 2, id));
        assertThat(by(SlowSample.LATENCY))
                .singleElement()
                .satisfies(each -> assertThat(each.id()).isEqualTo(id.substring(0, SlowestSamples.ID_MAX_BYTES)));
    }
}
