package io.metricsaggregator.fold.row;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples in flight follow the times of events, whatever the order in which those arrive. */
class InFlightTimelineTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final long START = 100 * SECOND;

    private final LoadgenFold fold = fold();

    private static LoadgenFold fold() {
        return new LoadgenFold(
                new Registry(3, 30, new RawBudget(Long.MAX_VALUE)),
                new RecordLedger(),
                new FoldOptions(true, 1_000_000, Long.MAX_VALUE, 1));
    }

    /** A sample from its issue to its completion. */
    private record Sample(String id, long issued, long completed) {}

    private record Step(long nanos, int by, Sample of) {}

    private static List<Sample> samples(Random random, int count, long spanNanos, long latencyNanos) {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long issued = START + (long) (random.nextDouble() * spanNanos);
            samples.add(new Sample("s" + i, issued, issued + 1 + (long) (random.nextDouble() * latencyNanos)));
        }
        return samples;
    }

    private static void start(LoadgenFold of) {
        apply(
                of,
                EventRecord.session(EventType.SESSION_STARTED, START),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, START));
    }

    private static void send(LoadgenFold to, Step step) {
        EventType type = step.by > 0 ? EventType.SAMPLE_ISSUED : EventType.SAMPLE_COMPLETE;
        apply(to, EventRecord.sample(type, step.nanos, step.of.id));
    }

    private static List<Step> inOrder(List<Sample> samples) {
        List<Step> steps = new ArrayList<>();
        for (Sample each : samples) {
            steps.add(new Step(each.issued, 1, each));
            steps.add(new Step(each.completed, -1, each));
        }
        steps.sort(Comparator.comparingLong(Step::nanos));
        return steps;
    }

    /** Sends each sample as a whole once it has ended, in the order of the ends. */
    private static void sendAfterwards(LoadgenFold to, List<Sample> samples) {
        samples.stream().sorted(Comparator.comparingLong(Sample::completed)).forEach(each -> {
            send(to, new Step(each.issued, 1, each));
            send(to, new Step(each.completed, -1, each));
        });
    }

    private static void assertLevels(Slices slices, List<Sample> samples) {
        long[] ends = new long[slices.length()];
        long[] most = new long[slices.length()];
        long level = 0;
        int filled = -1;
        for (Step each : inOrder(samples)) {
            int slice = (int) ((each.nanos - slices.startNanos()) / slices.widthNanos());
            while (filled < slice) {
                filled++;
                ends[filled] = level;
                most[filled] = level;
            }
            level += each.by;
            ends[slice] = level;
            most[slice] = Math.max(most[slice], level);
        }
        assertThat(slices.column("in_flight")).containsExactly(ends);
        assertThat(slices.column("in_flight_max")).containsExactly(most);
    }

    @Test
    void eight_requests_at_a_time_that_are_sent_once_they_have_ended_are_eight_in_flight() {
        start(fold);
        List<Sample> samples = new ArrayList<>();
        for (int group = 0; group < 100; group++) {
            for (int i = 0; i < 8; i++) {
                long issued = START + group * SECOND / 4 + i * MILLI;
                samples.add(new Sample(group + "-" + i, issued, issued + (100 + 10 * i) * MILLI));
            }
        }
        sendAfterwards(fold, samples);
        assertLevels(fold.slices(), samples);
        assertThat(fold.inFlight(0).peak()).isEqualTo(8);
        assertThat(fold.inFlight(0).count()).isZero();
        assertThat(fold.inFlight(0).sentAfterwards()).isTrue();
    }

    @Test
    void rates_of_samples_that_are_sent_once_they_have_ended_are_by_the_times_of_events() {
        start(fold);
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < 25 * 32; i++) {
            long issued = START + i * SECOND / 32;
            samples.add(new Sample("s" + i, issued, issued + 200 * MILLI));
        }
        sendAfterwards(fold, samples);
        Rate burst = new Rate(10, 10, 240, 80, 80, 0, 7, 0);
        Rate rate = fold.rates(List.of(burst)).get(0);
        assertThat(rate.coveredSeconds()).isEqualTo(10);
        assertThat(rate.issuedPerSecond()).isEqualTo(32);
        assertThat(rate.completedPerSecond()).isEqualTo(32);
        assertThat(rate.bytesPerSecond()).isEqualTo(7);
        Rate silence = new Rate(10, 10, 0, 0, 0, 0, 0, 0);
        assertThat(fold.rates(List.of(silence))).containsExactly(silence);
    }

    @Test
    void rates_of_samples_that_are_sent_as_they_happen_are_by_the_times_of_receipt() {
        start(fold);
        inOrder(samples(random(), 400, 20 * SECOND, 3 * SECOND)).forEach(each -> send(fold, each));
        Rate received = new Rate(10, 10, 240, 80, 80, 0, 7, 0);
        assertThat(fold.rates(List.of(received))).containsExactly(received);
    }

    @Test
    void events_in_the_order_of_time_are_not_sent_afterwards_and_levels_are_those_after_each_record() {
        start(fold);
        Random random = random();
        List<Sample> samples = samples(random, 400, 20 * SECOND, 3 * SECOND);
        long peak = 0;
        long level = 0;
        for (Step each : inOrder(samples)) {
            send(fold, each);
            level += each.by;
            peak = Math.max(peak, level);
            assertThat(fold.inFlight(0).count()).isEqualTo(level);
            assertThat(fold.inFlight(0).peak()).isEqualTo(peak);
        }
        assertLevels(fold.slices(), samples);
        assertThat(fold.inFlight(0).sentAfterwards()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {20, 5_000})
    void the_order_of_arrival_changes_no_level(long seconds) {
        start(fold);
        Random random = random();
        List<Sample> samples = samples(random, 2_000, seconds * SECOND, seconds * SECOND / 4);
        sendAfterwards(fold, samples);
        fold.slices();
        LoadgenFold ordered = fold();
        start(ordered);
        inOrder(samples).forEach(each -> send(ordered, each));
        assertLevels(fold.slices(), samples);
        assertLevels(ordered.slices(), samples);
        assertThat(fold.inFlight(0).peak()).isEqualTo(ordered.inFlight(0).peak());
    }

    @Test
    void events_older_than_all_changes_that_are_kept_still_move_the_levels_at_the_ends_of_slices() {
        start(fold);
        Random random = random();
        List<Sample> early = samples(random, 500, 10 * SECOND, SECOND);
        List<Sample> late = new ArrayList<>();
        for (int i = 0; i < InFlightTimeline.PENDING_MAX; i++) {
            long issued = START + 30 * SECOND + i * MILLI;
            late.add(new Sample("l" + i, issued, issued + 50 * MILLI));
        }
        sendAfterwards(fold, late);
        sendAfterwards(fold, early);
        late.addAll(early);
        LoadgenFold ordered = fold();
        start(ordered);
        inOrder(late).forEach(each -> send(ordered, each));
        assertThat(fold.slices().column("in_flight"))
                .containsExactly(ordered.slices().column("in_flight"));
        for (int i = 0; i < fold.slices().length(); i++) {
            assertThat(fold.slices().column("in_flight_max")[i])
                    .isLessThanOrEqualTo(ordered.slices().column("in_flight_max")[i])
                    .isGreaterThanOrEqualTo(fold.slices().column("in_flight")[i]);
        }
    }

    @Test
    void changes_within_half_of_those_kept_are_exact_however_many_follow() {
        start(fold);
        Random random = random();
        List<Sample> samples = samples(random, 2 * InFlightTimeline.PENDING_MAX, 200 * SECOND, SECOND / 2);
        // Issues are late by at most half a second, in which some 650 changes arrive.
        sendAfterwards(fold, samples);
        assertLevels(fold.slices(), samples);
    }

    @Test
    void levels_can_be_read_at_any_time_and_between_two_changes() {
        start(fold);
        Random random = random();
        List<Sample> sent = new ArrayList<>();
        for (Sample each : samples(random, 300, 20 * SECOND, 3 * SECOND)) {
            sent.add(each);
            sendAfterwards(fold, List.of(each));
            assertLevels(fold.slices(), sent);
            assertThat(fold.inFlight(0).peak())
                    .isEqualTo(Arrays.stream(fold.slices().column("in_flight_max"))
                            .max()
                            .orElseThrow());
        }
    }

    @Test
    void slices_that_are_joined_by_a_record_that_changes_no_level_have_their_levels() {
        start(fold);
        Sample sample = new Sample("a", START, START + 10 * SECOND);
        sendAfterwards(fold, List.of(sample));
        assertLevels(fold.slices(), List.of(sample));
        apply(fold, EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, START + 600 * SECOND, "b"));
        assertThat(fold.slices().widthNanos()).isEqualTo(2 * SECOND);
        assertThat(fold.slices().column("in_flight"))
                .startsWith(1, 1, 1, 1, 1, 0, 0)
                .hasSize(301);
    }

    @Test
    void a_sample_that_ends_before_its_issue_leaves_no_level_behind() {
        start(fold);
        send(fold, new Step(START + 3 * SECOND, 1, new Sample("a", 0, 0)));
        send(fold, new Step(START + 5 * SECOND, 1, new Sample("b", 0, 0)));
        send(fold, new Step(START + SECOND, -1, new Sample("a", 0, 0)));
        assertThat(fold.slices().column("in_flight")).containsExactly(0, 0, 0, 0, 0, 1);
        assertThat(fold.inFlight(0).peak()).isEqualTo(1);
    }

    private static Random random() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("InFlightTimelineTest seed: -Dtest.seed=" + seed);
        return new Random(seed);
    }

    @Test
    void a_failed_sample_of_an_import_leaves_with_its_first_error_and_is_back_when_issued_again() {
        for (boolean isImport : new boolean[] {false, true}) {
            FoldOptions live = new FoldOptions(true, 1_000_000, Long.MAX_VALUE, 1);
            LoadgenFold of = new LoadgenFold(
                    new Registry(3, 30, new RawBudget(Long.MAX_VALUE)),
                    new RecordLedger(),
                    isImport ? live.ofImport() : live);
            start(of);
            apply(
                    of,
                    EventRecord.sample(EventType.SAMPLE_ISSUED, START, "a"),
                    EventRecord.sample(EventType.SAMPLE_ISSUED, START, "b"),
                    EventRecord.sample(EventType.ERROR_GENERIC, START + SECOND, "a"),
                    EventRecord.sample(EventType.ERROR_GENERIC, START + SECOND, "a"),
                    EventRecord.sample(EventType.SAMPLE_ISSUED, START + 2 * SECOND, "a"),
                    EventRecord.sample(EventType.ERROR_GENERIC, START + 3 * SECOND, "a"),
                    EventRecord.sample(EventType.SAMPLE_COMPLETE, START + 4 * SECOND, "a"),
                    EventRecord.sample(EventType.ERROR_GENERIC, START + 5 * SECOND, "b"));

            assertThat(of.slices().column("in_flight"))
                    .startsWith(isImport ? new long[] {2, 1, 2, 1, 1, 0} : new long[] {2, 2, 2, 2, 1, 1});
            assertThat(of.inFlight(0).count()).isEqualTo(1);
            assertThat(of.inFlight(0).peak()).isEqualTo(2);
        }
    }
}
