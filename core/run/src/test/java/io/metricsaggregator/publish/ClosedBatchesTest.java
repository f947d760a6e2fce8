package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The steady state is judged by the closed batches after the last stall, whatever hangs in others. */
class ClosedBatchesTest {
    private static final long SECOND = 1_000_000_000L;

    private final LoadgenFold fold = new LoadgenFold(
            new Registry(3, 30, new RawBudget(0)),
            new RecordLedger(),
            new FoldOptions(Streaming.AUTO, 1000, 1 << 20, 1, null, TimeCut.NONE, true, TokenSource.TOKENIZER)
                    .withTargets(5 * SECOND, Map.of()));

    /** Ten samples a second of 100 ms each, received when they happen. */
    private void load(int fromSecond, int toSecond) {
        for (int i = fromSecond * 10; i < toSecond * 10; i++) {
            event(i * SECOND / 10, EventType.SAMPLE_ISSUED, "s" + i);
            event(i * SECOND / 10 + SECOND / 20, EventType.SAMPLE_COMPLETE, "s" + i);
        }
    }

    private void event(long nanos, EventType type, String id) {
        byte[] bytes = new EventEncoder().encode(EventRecord.sample(type, nanos, id));
        DecodedEvent event = new DecodedEvent();
        assertThat(new EventDecoder().decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                .isNull();
        fold.apply(new DecodedEvent[] {event}, 1, nanos);
    }

    private SteadyState state() {
        return state(false);
    }

    private SteadyState state(boolean ended) {
        // A newest event after the end of the last batch closes it.
        long newest = ended ? fold.newestNanos() : fold.newestNanos() + SECOND;
        ClosedBatches closed =
                ClosedBatches.of(fold.batches(), newest, ended, fold.waits().stalledUntilNanos(), fold.slices());
        return new SteadyJudge(10).judge(closed);
    }

    /** Four samples a second, of 100 ms until a second and of {@code slow} times as much from it on; one in {@code hanging} never completes. */
    private void loadThatHangs(int seconds, int slowFrom, int slow, int hanging) {
        TreeMap<Long, String> completions = new TreeMap<>();
        for (int i = 0; i < seconds * 4; i++) {
            long issued = i * SECOND / 4;
            while (!completions.isEmpty() && completions.firstKey() < issued) {
                complete(completions);
            }
            event(issued, EventType.SAMPLE_ISSUED, "s" + i);
            if (i % hanging != 0) {
                completions.put(issued + (i >= slowFrom * 4 ? slow : 1) * SECOND / 10 + i * 37L % 11, "s" + i);
            }
        }
        while (!completions.isEmpty()) {
            complete(completions);
        }
    }

    private void complete(TreeMap<Long, String> completions) {
        event(
                completions.firstKey(),
                EventType.SAMPLE_COMPLETE,
                completions.firstEntry().getValue());
        completions.pollFirstEntry();
    }

    @Test
    void a_request_that_never_ends_holds_up_no_later_batch() {
        loadThatHangs(40, 40, 1, 1000);
        for (boolean ended : new boolean[] {false, true}) {
            assertThat(state(ended).state()).isEqualTo("steady");
            assertThat(state(ended).closed()).isGreaterThan(35);
            assertThat(state(ended).isCertified()).isTrue();
        }
    }

    @Test
    void a_change_after_a_request_that_never_ends_is_seen() {
        loadThatHangs(60, 20, 5, 1000);
        for (boolean ended : new boolean[] {false, true}) {
            assertThat(state(ended).state()).isEqualTo("shifted");
            assertThat(state(ended).isCertified()).isFalse();
            assertThat(state(ended).sinceSessionNanos()).isBetween(18 * SECOND, 22 * SECOND);
        }
    }

    @Test
    void samples_that_hang_in_every_batch_are_not_waited_for_once_the_session_has_ended() {
        loadThatHangs(40, 40, 1, 4);
        assertThat(state(false).closed()).isZero();
        assertThat(state(true).state()).isEqualTo("steady");
        SteadyState steady = state(true);
        assertThat(Math.round(steady.sinceNanos() + steady.steadySeconds() * 1e9))
                .as("the last batches may be cut off: their slow samples are missing")
                .isBetween(38 * SECOND, 39 * SECOND);
    }

    @Test
    void samples_that_hang_are_no_load_that_still_rises() {
        loadThatHangs(40, 40, 1, 10);
        ClosedBatches closed = ClosedBatches.of(fold.batches(), fold.newestNanos(), true, 0, fold.slices());
        assertThat(closed.batches()).hasSizeGreaterThan(35);
        assertThat(closed.inFlight()).as("16 samples hang at the end").allMatch(each -> each <= 1);
    }

    @Test
    void the_window_ends_with_the_last_closed_batch() {
        loadThatHangs(40, 40, 1, 1000);
        for (int i = 0; i < 8; i++) {
            event(40 * SECOND + i, EventType.SAMPLE_ISSUED, "cut off " + i);
        }
        SteadyState steady = state(true);
        assertThat(steady.state()).isEqualTo("steady");
        long to = steady.sinceNanos() + Math.round(steady.steadySeconds() * 1e9);
        assertThat(to).isEqualTo(40 * SECOND);
        SteadyWindow window = fold.steadyWindow(steady.sinceNanos(), to);
        assertThat(window.toNanos()).isEqualTo(to);
        assertThat(window.samples()).isEqualTo((to - steady.sinceNanos()) / SECOND * 4);
        assertThat(window.issueNanos()).isEqualTo(to - steady.sinceNanos() - SECOND / 4);
    }

    @Test
    void aLevelDoesNotSpanAStall() {
        load(0, 20);
        assertThat(state().state()).isEqualTo("steady");
        assertThat(state().steadySeconds()).isGreaterThan(15);
        event(20 * SECOND, EventType.SAMPLE_ISSUED, "hangs");
        fold.waits().tick(26 * SECOND);
        assertThat(state().state()).as("during the stall").isEqualTo("warming_up");
        event(30 * SECOND, EventType.SAMPLE_COMPLETE, "hangs");
        load(31, 34);
        assertThat(state().state()).as("three seconds after it").isEqualTo("warming_up");
        load(34, 41);
        assertThat(state().state()).isEqualTo("steady");
        assertThat(state().sinceNanos()).isGreaterThanOrEqualTo(31 * SECOND);
        assertThat(state().steadySeconds()).isLessThanOrEqualTo(10);
    }
}
