package io.metricsaggregator.fold.label;

import static io.metricsaggregator.fold.Events.decoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.snapshot.figures.Stall;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Waits for answers by times of receipt. The producer's clock stands at another time, so that no test can pass by it. */
class ProgressFoldTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long PRODUCER = 77 * SECOND;

    private Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private LoadgenFold fold = fold(30 * SECOND, Map.of());

    private LoadgenFold fold(long endpointIdleNanos, Map<String, List<String>> expected) {
        registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        Slo slo = new Slo(Slo.NONE, Slo.NONE, 2 * SECOND, 0.9);
        FoldOptions options =
                new FoldOptions(Streaming.AUTO, 1000, 1 << 20, 1, slo, TimeCut.NONE, true, TokenSource.USAGE);
        return new LoadgenFold(registry, new RecordLedger(), options.withTargets(endpointIdleNanos, expected));
    }

    /** Receives a record at a time of the daemon's clock, in seconds. */
    private void at(double seconds, EventRecord record) {
        fold.apply(new DecodedEvent[] {decoded(record)}, 1, (long) (seconds * SECOND));
    }

    private static EventRecord event(double seconds, EventType type, String id) {
        return EventRecord.sample(type, PRODUCER + (long) (seconds * SECOND), id);
    }

    private void issued(double seconds, String id) {
        at(seconds, event(seconds, EventType.SAMPLE_ISSUED, id));
    }

    private void chunk(double seconds, String id) {
        at(seconds, event(seconds, EventType.SAMPLE_RECV_NON_FIRST, id));
    }

    private void completed(double seconds, String id) {
        at(seconds, event(seconds, EventType.SAMPLE_COMPLETE, id));
    }

    private Progress at(double seconds) {
        fold.waits().tick((long) (seconds * SECOND));
        Progress progress = fold.optional().progress();
        assertThat(progress).isNotNull();
        return progress;
    }

    private ProgressState stateAt(double seconds) {
        return at(seconds).state();
    }

    private long counter(String name) {
        for (Metric each : registry.renderExact(registry.newCopy(), false, () -> false)) {
            if (each.name().equals(name)) {
                return ((CounterMetric) each).value();
            }
        }
        return -1;
    }

    private LabelBreakdown.Value value(String key, String value) {
        LabelBreakdown labels = fold.optional().labels();
        assertThat(labels).isNotNull();
        return labels.keys().stream()
                .filter(each -> each.name().equals(key))
                .flatMap(each -> each.values().stream())
                .filter(each -> each.value().equals(value))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anAnswerAfterFortyTwoSecondsEndsOneStallOfFortyTwoSeconds() {
        issued(0, "a");
        chunk(10, "a");
        assertThat(stateAt(39.9)).isEqualTo(ProgressState.OK);
        assertThat(counter("endpoint_stalls")).as("before the first stall").isEqualTo(-1);
        assertThat(stateAt(40)).isEqualTo(ProgressState.STALLED);
        Progress during = at(51);
        assertThat(during.idleNanos()).isEqualTo(41 * SECOND);
        assertThat(during.endpointStalls()).isEqualTo(1);
        assertThat(during.stalls()).hasSize(1);
        assertThat(during.stalls().get(0).end()).isNull();
        assertThat(counter("stalled_ns")).isEqualTo(41 * SECOND);
        chunk(52, "a");
        Progress after = at(53);
        assertThat(after.state()).isEqualTo(ProgressState.OK);
        assertThat(after.endpointStalls()).isEqualTo(1);
        assertThat(after.stalledNanos()).isEqualTo(42 * SECOND);
        assertThat(after.longestIdleNanos()).isEqualTo(42 * SECOND);
        assertThat(after.stalls())
                .containsExactly(new Stall(
                        10 * SECOND,
                        10 * SECOND,
                        42 * SECOND,
                        1,
                        0,
                        Stall.End.PROGRESS,
                        PRODUCER + 10 * SECOND,
                        PRODUCER + 52 * SECOND));
        assertThat(counter("endpoint_stalls")).isEqualTo(1);
        assertThat(counter("stalled_ns")).isEqualTo(42 * SECOND);
    }

    @Test
    void nothingInFlightIsNoStall() {
        issued(0, "a");
        chunk(10, "a");
        completed(12, "a");
        assertThat(stateAt(49)).isEqualTo(ProgressState.IDLE);
        assertThat(at(49.5).idleNanos()).isNull();
        issued(50, "b");
        chunk(52, "b");
        Progress after = at(53);
        assertThat(after.endpointStalls()).isZero();
        assertThat(after.longestIdleNanos()).isEqualTo(10 * SECOND);
        assertThat(counter("endpoint_stalls")).isEqualTo(-1);
    }

    @Test
    void aStallCountsTheSamplesIssuedDuringIt() {
        issued(0, "a");
        issued(1, "b");
        chunk(2, "a");
        for (int i = 0; i < 5; i++) {
            issued(5 + i, "open" + i);
        }
        at(60, event(60, EventType.ERROR_CLIENT, "a"));
        Stall stall = at(61).stalls().get(0);
        assertThat(stall.inFlight()).isEqualTo(2);
        assertThat(stall.issuedDuring()).isEqualTo(5);
        assertThat(stall.end()).isEqualTo(Stall.End.FAILED);
        assertThat(stall.durationNanos()).isEqualTo(58 * SECOND);
    }

    @Test
    void aSessionThatEndsWithoutAnAnswerStaysStalled() {
        at(0, EventRecord.session(EventType.SESSION_STARTED, PRODUCER));
        issued(0, "a");
        at(35, EventRecord.session(EventType.SESSION_ENDED, PRODUCER + 35 * SECOND));
        Progress end = at(500);
        assertThat(end.state()).isEqualTo(ProgressState.STALLED);
        assertThat(end.stalledNanos()).as("until the session ended").isEqualTo(35 * SECOND);
        assertThat(end.stalls().get(0).end()).isEqualTo(Stall.End.SESSION_END);
    }

    @Test
    void waitsTenTimesLongerThanUsualAreSlow() {
        issued(0, "a");
        for (int i = 1; i <= 99; i++) {
            chunk(i, "a");
        }
        assertThat(at(110).slowNanos()).as("99 waits").isNull();
        assertThat(stateAt(111)).isEqualTo(ProgressState.OK);
        chunk(111, "a");
        long slow = at(111).slowNanos();
        // p99 of 99 waits of 1 s and one of 12 s: 0.01 of the way between them.
        assertThat(slow).as("10 times 1.11 s, within 3.2 %").isBetween(10_750_000_000L, 11_460_000_000L);
        assertThat(stateAt(120)).isEqualTo(ProgressState.OK);
        assertThat(stateAt(123)).isEqualTo(ProgressState.SLOW);
        assertThat(stateAt(141)).isEqualTo(ProgressState.STALLED);
    }

    @Test
    void withoutALimitOfItsOwnTheRunSetsIt() {
        fold = fold(FoldOptions.AUTO_IDLE, Map.of());
        issued(0, "long");
        assertThat(at(299).limitNanos()).isEqualTo(300 * SECOND);
        assertThat(stateAt(299)).isEqualTo(ProgressState.OK);
        assertThat(stateAt(300)).isEqualTo(ProgressState.STALLED);
        for (int i = 0; i < 100; i++) {
            issued(400 + i, "s" + i);
            at(400.5 + i, event(420.5 + i, EventType.SAMPLE_RECV_FIRST, "s" + i));
            completed(400.5 + i, "s" + i);
        }
        assertThat(at(500).limitNanos())
                .as("3 times the 99th percentile of 20.5 s")
                .isBetween(61 * SECOND, 62 * SECOND);
        fold = fold(0, Map.of());
        issued(0, "a");
        assertThat(stateAt(1e6)).as("--endpoint-idle 0").isEqualTo(ProgressState.OK);
        assertThat(at(1e6).limitNanos()).isNull();
    }

    @Test
    void withoutStreamingTheLatencySetsTheLimit() {
        fold = fold(FoldOptions.AUTO_IDLE, Map.of());
        for (int i = 0; i < 100; i++) {
            issued(i, "s" + i);
            at(i + 0.5, event(i + 200, EventType.SAMPLE_COMPLETE, "s" + i));
        }
        assertThat(at(100).limitNanos()).isBetween(599 * SECOND, 602 * SECOND);
    }

    @Test
    void aStallEndsWhereTheLastProducerGoes() {
        issued(0, "a");
        fold.waits().connected(false, 31 * SECOND);
        Progress gone = at(100);
        assertThat(gone.state()).isEqualTo(ProgressState.CLIENT_GONE);
        assertThat(gone.stalledNanos()).as("the endpoint's part").isEqualTo(31 * SECOND);
        assertThat(gone.stalls().get(0).end()).isEqualTo(Stall.End.CLIENT_GONE);
        fold.waits().connected(true, 200 * SECOND);
        assertThat(stateAt(229)).isEqualTo(ProgressState.OK);
        assertThat(stateAt(231)).isEqualTo(ProgressState.STALLED);
        chunk(232, "a");
        assertThat(at(233).endpointStalls()).isEqualTo(2);
        assertThat(at(233).stalledNanos()).isEqualTo((31 + 32) * SECOND);
    }

    @Test
    void withoutAProducerNothingStalls() {
        issued(0, "a");
        fold.waits().connected(false, 5 * SECOND);
        assertThat(stateAt(29)).isEqualTo(ProgressState.OK);
        assertThat(stateAt(31)).isEqualTo(ProgressState.CLIENT_GONE);
        assertThat(fold.waits().waitingNanos()).isZero();
        chunk(50, "a");
        assertThat(at(51).endpointStalls()).isZero();
    }

    @Test
    void whatADaemonThatFellBehindReceivesEndsNoStall() {
        issued(0, "a");
        chunk(1, "a");
        fold.waits().blind(2 * SECOND, 90 * SECOND);
        assertThat(stateAt(90.5)).isEqualTo(ProgressState.BLIND);
        chunk(91, "a");
        Progress after = at(92);
        assertThat(after.endpointStalls()).isZero();
        assertThat(after.state()).isEqualTo(ProgressState.OK);
        fold.waits().blind(130 * SECOND, 140 * SECOND);
        Progress second = at(142);
        assertThat(second.endpointStalls()).as("it had lasted 39 s before").isEqualTo(1);
        assertThat(second.stalls().get(0).end()).isEqualTo(Stall.End.BLIND);
    }

    @Test
    void anOutageOfTheDaemonIsNoStall() {
        issued(0, "a");
        fold.outage(0, 499 * SECOND, 0);
        chunk(500, "a");
        assertThat(at(501).endpointStalls()).isZero();
        assertThat(at(501).longestIdleNanos()).isEqualTo(SECOND);
    }

    private void answeredEverySecond(int from, int to) {
        for (int second = from; second < to; second++) {
            chunk(second, "a");
            chunk(second, "b");
        }
    }

    private void labelled(String id, String endpoint) {
        at(0, event(0, EventType.SAMPLE_ISSUED, id).withLabels(Map.of("endpoint", endpoint)));
    }

    @Test
    void anOutageOfTheDaemonIsNoWaitOfAnyEndpointWhoeverIsConnectedThen() {
        at(0, EventRecord.session(EventType.SESSION_STARTED, PRODUCER));
        at(0, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, PRODUCER));
        labelled("a", "gpu-a");
        labelled("b", "gpu-b");
        labelled("c", "gpu-c");
        answeredEverySecond(1, 74);
        // Killed after second 73, resumed at 98, subscribed at 99; the producer is away until 98.5. Endpoint gpu-c
        // never answers.
        fold.outage(1_000 * SECOND, 1_025 * SECOND, 73 * SECOND);
        fold.waits().tick(98 * SECOND);
        fold.waits().connected(false, 98 * SECOND);
        fold.waits().connected(true, (long) (98.5 * SECOND));
        fold.outage(1_000 * SECOND, 1_026 * SECOND, 73 * SECOND);
        answeredEverySecond(99, 140);
        Progress progress = at(140);
        assertThat(progress.endpointStalls()).isZero();
        assertThat(progress.longestIdleNanos()).isEqualTo(SECOND);
        for (String each : List.of("gpu-a", "gpu-b")) {
            Progress.Target target = value("endpoint", each).progress();
            assertThat(target.endpointStalls()).as(each).isZero();
            assertThat(target.longestIdleNanos()).as(each).isEqualTo(SECOND);
        }
        Progress.Target silent = value("endpoint", "gpu-c").progress();
        assertThat(silent.endpointStalls()).isEqualTo(2);
        assertThat(silent.stalledNanos()).as("73 s before and 41 s after").isEqualTo((73 + 41) * SECOND);
    }

    @Test
    void aWaitThatGoesOnAfterAnOutageIsAStallFromTheTimeThatTheDaemonWasReady() {
        issued(0, "a");
        chunk(10, "a");
        fold.outage(1_000 * SECOND, 1_100 * SECOND, 12 * SECOND);
        assertThat(stateAt(112.5)).isEqualTo(ProgressState.OK);
        assertThat(stateAt(143)).isEqualTo(ProgressState.STALLED);
        chunk(150, "a");
        Progress after = at(151);
        assertThat(after.endpointStalls()).isEqualTo(1);
        assertThat(after.stalledNanos()).isEqualTo(38 * SECOND);
    }

    @Test
    void theThirtyThirdStallIsCountedAndNotListed() {
        issued(0, "a");
        for (int i = 1; i <= 33; i++) {
            chunk(i * 40.0, "a");
        }
        Progress progress = at(1321);
        assertThat(progress.endpointStalls()).isEqualTo(33);
        assertThat(progress.stalls()).hasSize(Progress.STALLS_MAX);
        assertThat(progress.stalledNanos()).isEqualTo(33 * 40 * SECOND);
    }

    @Test
    void oneSilentEndpointOfTwoIsStalledWhileTheRunIsNot() {
        EventRecord issueA = event(0, EventType.SAMPLE_ISSUED, "a").withLabels(Map.of("endpoint", "a"));
        at(0, issueA.from(1, 0));
        EventRecord issueB = event(0, EventType.SAMPLE_ISSUED, "b").withLabels(Map.of("endpoint", "b"));
        at(0, issueB.from(2, 0));
        for (int i = 1; i <= 40; i++) {
            chunk(i, "a");
        }
        Progress run = at(40);
        assertThat(run.state()).isEqualTo(ProgressState.OK);
        assertThat(value("endpoint", "a").progress().state()).isEqualTo(ProgressState.OK);
        Progress.Target b = value("endpoint", "b").progress();
        assertThat(b.state()).isEqualTo(ProgressState.STALLED);
        assertThat(b.idleNanos()).isEqualTo(40 * SECOND);
        assertThat(value("worker", "2").progress().state()).isEqualTo(ProgressState.STALLED);
        assertThat(value("worker", "1").progress().state()).isEqualTo(ProgressState.OK);
        completed(42, "b");
        Progress.Target after = value("endpoint", "b").progress();
        assertThat(after).isEqualTo(new Progress.Target(ProgressState.IDLE, null, 42 * SECOND, 1, 42 * SECOND));
        assertThat(run.endpointStalls()).isZero();
    }

    @Test
    void rowsHaveGoodSamplesAndTimesPerToken() {
        for (String each : List.of("a", "b")) {
            at(0, event(0, EventType.SAMPLE_ISSUED, each).withLabels(Map.of("endpoint", each)));
            at(1, event(1, EventType.SAMPLE_RECV_FIRST, each));
        }
        at(2, event(2, EventType.SAMPLE_COMPLETE, "a").withUsage(Usage.of(10, 11)));
        at(3, event(3, EventType.SAMPLE_COMPLETE, "b").withUsage(Usage.of(10, 11)));
        assertThat(value("endpoint", "a").good()).isEqualTo(1);
        assertThat(value("endpoint", "b").good()).as("3 s, the limit is 2 s").isZero();
        assertThat(value("endpoint", "a").timePerToken().maxNanos()).isEqualTo(SECOND / 10);
        assertThat(value("endpoint", "b").timePerToken().maxNanos()).isEqualTo(SECOND / 5);
    }

    @Test
    void anExpectedValueWithoutSamplesCountsInTheSkew() {
        fold = fold(30 * SECOND, Map.of("endpoint", List.of("a", "b", "c")));
        for (String each : List.of("a", "b")) {
            at(0, event(0, EventType.SAMPLE_ISSUED, each).withLabels(Map.of("endpoint", each)));
            completed(1, each);
        }
        LabelBreakdown.Key key = fold.optional().labels().keys().get(0);
        assertThat(value("endpoint", "c").issued()).isZero();
        assertThat(key.maxOverMean()).as("1 over 2/3").isEqualTo(1.5);
    }

    @Test
    void aRunOfOneWorkerHasNoBreakdownByWorker() {
        at(0, event(0, EventType.SAMPLE_ISSUED, "a").from(1, 0));
        assertThat(fold.optional().labels()).isNull();
        at(0, event(0, EventType.SAMPLE_ISSUED, "b").from(2, 0));
        assertThat(value("worker", "1").issued()).as("the first ones too").isEqualTo(1);
    }
}
