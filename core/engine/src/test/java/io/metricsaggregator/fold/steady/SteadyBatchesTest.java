package io.metricsaggregator.fold.steady;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.Seed;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.figures.SteadyBatch;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SteadyBatchesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long START = 40 * SECOND;

    private static LoadgenFold fold() {
        Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        LoadgenFold fold = new LoadgenFold(
                registry,
                new RecordLedger(),
                new FoldOptions(
                        true, 3, Long.MAX_VALUE, 1, new Slo(Slo.NONE, Slo.NONE, 2 * SECOND, 0.9), TimeCut.NONE));
        apply(fold, EventRecord.session(EventType.SESSION_STARTED, START));
        apply(fold, at(0.5, EventType.SAMPLE_ISSUED, "before the tracked window"));
        apply(fold, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, START + SECOND));
        return fold;
    }

    private static EventRecord at(double seconds, EventType type, String id) {
        return EventRecord.sample(type, START + Math.round(seconds * SECOND), id);
    }

    @Test
    void valuesCountForTheBatchOfTheIssue() {
        LoadgenFold fold = fold();
        apply(
                fold,
                at(2, EventType.SAMPLE_ISSUED, "a"),
                at(3.5, EventType.SAMPLE_ISSUED, "b"),
                at(3.6, EventType.SAMPLE_RECV_FIRST, "a"),
                at(3.9, EventType.SAMPLE_RECV_FIRST, "b"),
                at(4.0, EventType.SAMPLE_RECV_NON_FIRST, "a"),
                at(4.2, EventType.SAMPLE_RECV_NON_FIRST, "a"),
                at(4.5, EventType.SAMPLE_COMPLETE, "a"),
                at(4.6, EventType.ERROR_CLIENT, "b"),
                at(4.7, EventType.SAMPLE_COMPLETE, "b"));
        List<SteadyBatch> batches = fold.batches();
        assertThat(batches).hasSize(2);
        SteadyBatch first = batches.get(0);
        assertThat(first.fromNanos()).isEqualTo(START + 2 * SECOND);
        assertThat(first.issued()).isEqualTo(1);
        assertThat(first.open()).isZero();
        assertThat(first.ttft()).isEqualTo(1.6e9);
        assertThat(first.chunkDelta()).isEqualTo(0.3e9);
        assertThat(first.latencyP50()).isCloseTo(2.5e9, within(0.008 * 2.5e9));
        assertThat(first.tpot()).isNaN();
        assertThat(first.good()).isZero();
        SteadyBatch second = batches.get(1);
        assertThat(second.completed()).isZero();
        assertThat(second.failed()).isEqualTo(1);
        assertThat(second.chunkDelta()).isNaN();
    }

    @Test
    void aBatchClosesWhenItsEndHasPassedAndItsSamplesHaveCompleted() {
        LoadgenFold fold = fold();
        apply(fold, at(2, EventType.SAMPLE_ISSUED, "a"), at(2.2, EventType.SAMPLE_ISSUED, "b"));
        apply(fold, at(2.5, EventType.SAMPLE_COMPLETE, "a"), at(2.6, EventType.SAMPLE_COMPLETE, "b"));
        assertThat(fold.batches().get(0).isClosed(START + 3 * SECOND - 1)).isFalse();
        assertThat(fold.batches().get(0).isClosed(START + 3 * SECOND)).isTrue();
        apply(fold, at(2.7, EventType.SAMPLE_ISSUED, "late"));
        assertThat(fold.batches().get(0).isClosed(START + 9 * SECOND)).isFalse();
    }

    @Test
    void anIssueIsTakenBackWhenTheSampleIsIssuedAgainOrEvicted() {
        LoadgenFold fold = fold();
        apply(fold, at(2, EventType.SAMPLE_ISSUED, "a"), at(7, EventType.SAMPLE_ISSUED, "a"));
        assertThat(fold.batches().get(0).issued()).isZero();
        assertThat(fold.batches().get(5).issued()).isEqualTo(1);
        apply(fold, at(7.1, EventType.SAMPLE_COMPLETE, "a"));
        // The table holds three samples, one of which is not tracked.
        apply(fold, at(8, EventType.SAMPLE_ISSUED, "b"), at(9, EventType.SAMPLE_ISSUED, "c"));
        apply(fold, at(9, EventType.SAMPLE_ISSUED, "d"), at(9.1, EventType.SAMPLE_ISSUED, "e"));
        assertThat(fold.batches().get(6).issued()).isZero();
        assertThat(fold.batches().get(6).open()).isZero();
    }

    @Test
    void rates_of_a_window_are_over_the_span_from_its_first_issue_to_its_last() {
        SteadyBatches batches = new SteadyBatches();
        batches.issued(START);
        batches.issued(START + 1_300_000_000L);
        batches.issued(START + 3_400_000_000L);
        batches.issued(START + 3_800_000_000L);
        SteadyWindow window = batches.window(START + SECOND, START + 3 * SECOND, false);
        assertThat(window.samples()).isEqualTo(1);
        assertThat(window.issueNanos()).isZero();
        window = batches.window(START + SECOND, START + 4 * SECOND, false);
        assertThat(window.samples()).isEqualTo(3);
        assertThat(window.issueNanos()).isEqualTo(2_500_000_000L);
        assertThat(window.issuedPerSecond()).isEqualTo(3 / 2.5);
    }

    @Test
    void theWidthDoublesAndNothingIsLost() {
        long seed = Seed.next(SteadyBatchesTest.class);
        Random random = new Random(seed);
        SteadyBatches batches = new SteadyBatches();
        List<long[]> samples = new ArrayList<>();
        long now = START;
        for (int i = 0; i < 20_000; i++) {
            now += random.nextInt(60_000_000);
            long latency = 1 + random.nextInt(2_000_000_000);
            batches.issued(now);
            batches.timeToFirstToken(now, latency / 2);
            batches.completed(now, latency, false, true, 3, latency / 2);
            batches.counted(now, 7, latency / 14.0);
            samples.add(new long[] {now, latency});
        }
        List<SteadyBatch> copy = batches.copy();
        assertThat(copy).as("seed %d", seed).hasSizeBetween(33, SteadyBatches.BATCHES_MAX);
        assertThat(copy.stream().mapToLong(SteadyBatch::completed).sum()).isEqualTo(20_000);
        assertThat(copy.stream().mapToLong(SteadyBatch::issued).sum()).isEqualTo(20_000);
        assertThat(copy.stream().mapToLong(SteadyBatch::tokens).sum()).isEqualTo(140_000);
        long from = copy.get(copy.size() / 2).fromNanos();
        SteadyWindow window = batches.window(from, copy.get(copy.size() - 1).toNanos(), false);
        double[] sorted = samples.stream()
                .filter(each -> each[0] >= from)
                .mapToDouble(each -> each[1])
                .sorted()
                .toArray();
        assertThat(window.samples()).as("seed %d", seed).isEqualTo(sorted.length);
        double p90 = sorted[(int) (0.9 * (sorted.length - 1))];
        assertThat(window.latency().p90()).as("seed %d", seed).isCloseTo(p90, within(0.008 * p90));
        assertThat(window.latency().mean())
                .isCloseTo(Arrays.stream(sorted).average().orElseThrow(), within(1.0));
        double first = samples.stream()
                .mapToDouble(each -> each[0])
                .filter(each -> each >= from)
                .min()
                .orElseThrow();
        double seconds = (now - first) / 1e9;
        assertThat(window.tokensPerSecond()).isCloseTo(7 * sorted.length / seconds, within(1e-6));
    }
}
