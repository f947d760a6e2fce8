package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SteadyBatch;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.steady.RequiredDuration;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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

    /** A batch of a second with so many samples of {@code p90} nanoseconds, of which some are open or not counted. */
    private static SteadyBatch batch(int second, int issued, int open, int uncounted, double p90) {
        long completed = issued - open;
        return new SteadyBatch(
                second * SECOND,
                (second + 1) * SECOND,
                issued,
                open,
                uncounted,
                completed,
                0,
                0,
                0,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                p90,
                p90);
    }

    private static Slices inFlight(long... values) {
        return new Slices(0, SECOND, 0, List.of(new Slices.Column("in_flight", values)));
    }

    @Test
    void open_samples_of_a_run_that_has_ended_hang_five_times_the_longest_latency_after_their_batch() {
        SteadyBatch slow = batch(0, 20, 0, 0, 0.4 * SECOND);
        SteadyBatch without = batch(1, 2, 2, 0, Double.NaN);
        SteadyBatch open = batch(2, 20, 10, 0, 0.2 * SECOND);
        List<SteadyBatch> all = List.of(slow, without, open);
        for (long after : new long[] {Long.MIN_VALUE, 0}) {
            assertThat(ClosedBatches.of(all, 5 * SECOND - 1, true, after, Slices.BLANK))
                    .isEqualTo(new ClosedBatches(0, true, List.of(slow, without), List.of()));
            assertThat(ClosedBatches.of(all, 5 * SECOND, true, after, Slices.BLANK)
                            .batches())
                    .isEqualTo(all);
        }
        assertThat(ClosedBatches.of(all, 5 * SECOND, true, 1, Slices.BLANK).batches())
                .containsExactly(without, open);
        assertThat(ClosedBatches.of(all, 500 * SECOND, false, 0, Slices.BLANK).batches())
                .as("while the session goes on they may complete")
                .containsExactly(slow);
        assertThat(ClosedBatches.of(List.of(without), 500 * SECOND, true, 0, Slices.BLANK)
                        .batches())
                .as("no latency is known")
                .isEmpty();
        assertThat(ClosedBatches.of(List.of(slow, batch(1, 20, 5, 2, SECOND)), 500 * SECOND, true, 0, Slices.BLANK)
                        .batches())
                .as("outputs that are not counted yet will be")
                .containsExactly(slow);
        assertThat(ClosedBatches.of(List.of(), 5, true, 0, Slices.BLANK)).isEqualTo(ClosedBatches.NONE);
    }

    @Test
    void samples_in_flight_are_those_of_the_slice_in_which_a_batch_ends_without_those_that_hang_since_then() {
        SteadyBatch first = batch(0, 100, 3, 0, 0.1 * SECOND);
        SteadyBatch second = batch(1, 100, 4, 0, 0.1 * SECOND);
        SteadyBatch third = batch(2, 100, 0, 0, 0.1 * SECOND);
        List<SteadyBatch> all = List.of(first, second, third);
        assertThat(ClosedBatches.of(all, 9 * SECOND, true, 0, inFlight(13, 24, 40))
                        .inFlight())
                .containsExactly(10L, 17L, 33L);
        assertThat(ClosedBatches.of(all, 9 * SECOND, true, 0, inFlight(2, 24)).inFlight())
                .as("the last one ends behind the last slice")
                .containsExactly(0L, 17L);
        assertThat(ClosedBatches.of(all, 9 * SECOND, true, 0, inFlight()).inFlight())
                .isEmpty();
        // The second batch hangs at 2.5 s, not before; the first does at 1.5 s.
        assertThat(ClosedBatches.of(all, 5 * SECOND / 2, true, 0, inFlight(13, 24, 40))
                        .inFlight())
                .containsExactly(10L, 17L, 33L);
        assertThat(ClosedBatches.of(all, 5 * SECOND / 2 - 1, true, 0, inFlight(13, 24, 40))
                        .inFlight())
                .containsExactly(10L, 21L, 37L);
        Slices later =
                new Slices(2 * SECOND, 2 * SECOND, 0, inFlight(13, 24, 40).columns());
        assertThat(ClosedBatches.of(all, 9 * SECOND, true, 0, later).inFlight())
                .as("slices of two seconds, the first of which begins behind the first batch")
                .containsExactly(10L, 6L, 6L);
    }

    /** A batch of a second with 10 samples whose figures are these, in nanoseconds. */
    private static SteadyBatch figures(int second, double tpot, double delta, double p50, double p90, long completed) {
        return new SteadyBatch(
                second * SECOND,
                (second + 1) * SECOND,
                completed,
                0,
                0,
                completed,
                0,
                completed,
                0,
                Double.NaN,
                tpot,
                delta,
                p50,
                p90);
    }

    private static SteadyState judge(double floorSeconds, List<SteadyBatch> batches, List<Long> inFlight) {
        return new SteadyJudge(floorSeconds).judge(new ClosedBatches(-SECOND, true, batches, inFlight));
    }

    @Test
    void a_run_is_judged_by_the_first_figure_that_a_batch_has_and_by_the_batches_that_have_it() {
        double none = Double.NaN;
        List<SteadyBatch> batches = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            batches.add(figures(i, none, none, 100, 100, 10));
        }
        SteadyState latency = judge(1, batches, List.of());
        assertThat(latency.driver()).isEqualTo("sample_latency_ns");
        assertThat(latency.state()).isEqualTo("steady");
        assertThat(latency.sinceSessionNanos()).isEqualTo(latency.sinceNanos() + SECOND);
        assertThat(latency.steadySeconds()).isEqualTo(12 - latency.sinceNanos() / 1e9);
        assertThat(latency.cov()).isZero();
        assertThat(latency.drift()).isZero();
        assertThat(latency.p()).isZero();
        assertThat(latency.needed()).isEqualTo(4);
        batches.set(5, figures(5, none, 7, 100, 100, 10));
        SteadyState delta = judge(1, batches, List.of());
        assertThat(delta.driver()).isEqualTo("chunk_delta_ns");
        assertThat(delta.state()).isEqualTo("warming_up");
        assertThat(delta.sinceNanos()).isNull();
        assertThat(delta.closed()).as("one batch, which is the warm-up").isZero();
        assertThat(delta.cov()).isNull();
        assertThat(delta.drift()).isNull();
        assertThat(delta.p()).isNull();
        batches.set(9, figures(9, 3, none, 100, 100, 10));
        assertThat(judge(1, batches, List.of()).driver()).isEqualTo("tpot_ns");
        assertThat(judge(1, List.of(), List.of()).driver()).isNull();
    }

    @Test
    void load_that_still_rises_is_no_steady_state_unless_it_is_unknown_for_a_batch() {
        List<SteadyBatch> batches = new ArrayList<>();
        List<Long> rising = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            // Of every third batch no sample has completed: its load does not count.
            boolean isEmpty = i % 3 == 1;
            batches.add(figures(i, Double.NaN, Double.NaN, isEmpty ? Double.NaN : 100, 100, 10));
            // Short of its peak at the end, as when the load is ramped up by a server that restarts.
            rising.add(isEmpty ? 0 : i == 15 ? 1000 : 10L * i);
        }
        assertThat(judge(1, batches, rising).state()).isEqualTo("warming_up");
        assertThat(judge(1, batches, rising.subList(0, 19)).state())
                .as("the last batch is empty")
                .isEqualTo("warming_up");
        assertThat(judge(1, batches, rising.subList(0, 18)).state()).isEqualTo("steady");
        assertThat(judge(1, batches, List.of()).state()).isEqualTo("steady");
    }

    @Test
    void a_level_is_required_for_the_longest_of_floor_latency_and_precision() {
        List<SteadyBatch> batches = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            // 30 samples of 4 s for each 10 of 2 s, and batches without a completion: 3.5 s on average.
            batches.add(figures(i, 5, Double.NaN, 100, i % 2 == 0 ? 4e9 : 2e9, i % 2 == 0 ? 30 : 10));
            batches.add(figures(i, 5, Double.NaN, 100, Double.NaN, 7));
        }
        // The first batch is the warm-up.
        assertThat(judge(1, batches.subList(1, 24), List.of()).requiredSeconds())
                .isCloseTo(5 * (5 * 30 * 4 + 6 * 10 * 2) / (5 * 30 + 6 * 10.0), within(1e-6));
        assertThat(judge(60, batches, List.of()).requiredSeconds()).isEqualTo(60);
        List<SteadyBatch> noisy = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            noisy.add(figures(i, i % 2 == 0 ? 5 : 8, Double.NaN, 100, Double.NaN, 10));
        }
        SteadyState state = judge(1, noisy, List.of());
        assertThat(state.cov()).isCloseTo(1.5 / 6.5, within(0.01));
        assertThat(state.requiredSeconds())
                .isEqualTo(RequiredDuration.seconds(state.cov(), 1, 0, 1))
                .isGreaterThan(10);
        assertThat(judge(0, List.of(), List.of()).requiredSeconds()).isZero();
    }

    @Test
    void a_judge_that_gets_no_batches_has_no_state_and_one_that_gets_the_same_keeps_its_own() {
        SteadyJudge judge = new SteadyJudge(1);
        assertThat(judge.judge(ClosedBatches.NONE)).isNull();
        SteadyBatch batch = batch(0, 5, 0, 0, 100);
        ClosedBatches some = new ClosedBatches(0, true, List.of(batch), List.of());
        SteadyState state = judge.judge(some);
        assertThat(state).isNotNull();
        assertThat(judge.judge(new ClosedBatches(0, true, List.of(batch), List.of())))
                .isSameAs(state);
        for (ClosedBatches changed : List.of(
                new ClosedBatches(1, true, List.of(batch), List.of()),
                new ClosedBatches(0, true, List.of(batch(0, 6, 0, 0, 100)), List.of()),
                new ClosedBatches(0, true, List.of(batch, batch(1, 5, 0, 0, 100)), List.of()),
                new ClosedBatches(0, true, List.of(batch), List.of(1L)))) {
            SteadyState before = judge.judge(some);
            SteadyState after = judge.judge(changed);
            assertThat(after).as("of %s", changed).isNotSameAs(before);
            assertThat(judge.judge(some)).as("after %s", changed).isNotSameAs(after);
        }
        assertThat(judge.judge(ClosedBatches.NONE)).isNull();
    }
}
