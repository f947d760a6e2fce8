package io.metricsaggregator.fold.steady;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PhaseData;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.Seed;
import io.metricsaggregator.registry.raw.RawBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Super-passes by the definitions of MLCommons' diagnostics, against a model of these for random events. */
class SuperPassFoldTest {
    private static final long MILLI = 1_000_000L;
    private static final long HEAP = 1L << 30;

    private static LoadgenFold fold(long size, long valuesMaxBytes) {
        LoadgenFold fold = new LoadgenFold(
                new Registry(3, 30, new RawBudget(valuesMaxBytes)),
                new RecordLedger(),
                new FoldOptions(
                        Streaming.ON, 1_000_000, 1 << 20, 1, null, TimeCut.NONE, false, TokenSource.USAGE, size));
        apply(fold, EventRecord.session(EventType.SESSION_STARTED, 0));
        return fold;
    }

    private static LoadgenFold tracking(long size) {
        LoadgenFold fold = fold(size, Long.MAX_VALUE);
        apply(fold, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
        return fold;
    }

    private static EventRecord at(long millis, EventType type, String id) {
        return EventRecord.sample(type, millis * MILLI, id);
    }

    private static EventRecord complete(long millis, String id, long tokens) {
        return at(millis, EventType.SAMPLE_COMPLETE, id).withUsage(Usage.of(1, tokens));
    }

    private static SuperPassSamples samples(LoadgenFold fold) {
        return Objects.requireNonNull(fold.superPasses());
    }

    private static void stream(LoadgenFold fold, String id, long issued) {
        apply(
                fold,
                at(issued, EventType.SAMPLE_ISSUED, id),
                at(issued + 5, EventType.SAMPLE_RECV_FIRST, id),
                complete(issued + 25, id, 5));
    }

    @Test
    void samplesBelongToAPassByTheOrderOfTheirFirstIssue() {
        LoadgenFold fold = tracking(2);
        apply(fold, at(0, EventType.SAMPLE_ISSUED, "a"), at(1, EventType.SAMPLE_ISSUED, "b"));
        apply(fold, at(2, EventType.SAMPLE_ISSUED, "c"));
        apply(
                fold,
                at(10, EventType.SAMPLE_RECV_FIRST, "c"),
                complete(30, "c", 5),
                at(40, EventType.SAMPLE_RECV_FIRST, "a"),
                complete(80, "a", 11),
                at(90, EventType.ERROR_CLIENT, "b"),
                complete(95, "b", 3));
        List<SuperPassSamples.Pass> passes = samples(fold).passes();
        assertThat(passes).hasSize(2);
        SuperPassSamples.Pass first = passes.get(0);
        assertThat(first.issued()).isEqualTo(2);
        assertThat(first.lastIssueNanos()).isEqualTo(MILLI);
        assertThat(first.lastEventNanos()).isEqualTo(95 * MILLI);
        assertThat(first.ttft()).containsExactly(40 * MILLI);
        assertThat(first.tpot()).containsExactly(4 * MILLI);
        assertThat(first.tokensAfterFirst()).containsExactly(10);
        assertThat(first.tokens()).isEqualTo(11);
        assertThat(first.latency()).containsExactly(80 * MILLI, 94 * MILLI);
        assertThat(passes.get(1).issued()).isEqualTo(1);
        assertThat(passes.get(1).tpot()).containsExactly(5 * MILLI);
    }

    private static EventRecord firstChunk(long millis, String id, Long turn) {
        return new EventRecord(
                EventType.SAMPLE_RECV_FIRST,
                millis * MILLI,
                id,
                turn == null ? "" : "c",
                turn,
                null,
                null,
                null,
                null,
                null);
    }

    @Test
    void theFirstTurnOfAConversationIsNotWarm() {
        LoadgenFold fold = tracking(3);
        apply(fold, at(0, EventType.SAMPLE_ISSUED, "a"), at(0, EventType.SAMPLE_ISSUED, "b"));
        apply(fold, at(0, EventType.SAMPLE_ISSUED, "c"));
        apply(fold, firstChunk(10, "a", 1L), firstChunk(20, "b", 3L), firstChunk(30, "c", null));
        SuperPassSamples.Pass pass = samples(fold).passes().get(0);
        assertThat(pass.ttft()).containsExactly(10 * MILLI, 20 * MILLI, 30 * MILLI);
        assertThat(pass.ttftWarm()).containsExactly(20 * MILLI, 30 * MILLI);
    }

    @Test
    void aRetryRefreshesTheIssueAndTheFirstChunkEverDecides() {
        LoadgenFold fold = tracking(1);
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "a"),
                at(10, EventType.SAMPLE_RECV_FIRST, "a"),
                at(100, EventType.SAMPLE_ISSUED, "a"),
                at(130, EventType.SAMPLE_RECV_FIRST, "a"),
                complete(210, "a", 11));
        List<SuperPassSamples.Pass> passes = samples(fold).passes();
        assertThat(passes).hasSize(1);
        SuperPassSamples.Pass only = passes.get(0);
        assertThat(only.issued()).isEqualTo(1);
        assertThat(only.firstIssueNanos()).isZero();
        assertThat(only.lastIssueNanos()).isEqualTo(100 * MILLI);
        assertThat(only.ttft()).containsExactly(10 * MILLI);
        assertThat(only.latency()).containsExactly(110 * MILLI);
        assertThat(only.tpot()).containsExactly(20 * MILLI);
    }

    @Test
    void theSessionAnnouncesTheSizeUnlessItIsGiven() {
        LoadgenFold fold = fold(0, Long.MAX_VALUE);
        assertThat(fold.superPasses()).isNull();
        EventRecord phase = EventRecord.session(EventType.SESSION_PHASE_START, 0)
                .withData(new PhaseData(PhaseData.PERFORMANCE, true, 3L));
        apply(fold, phase, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
        stream(fold, "a", 0);
        assertThat(samples(fold).size()).isEqualTo(3);
        assertThat(samples(fold).obstacle(HEAP)).isNull();

        LoadgenFold given = fold(2, Long.MAX_VALUE);
        apply(given, phase, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
        assertThat(samples(given).size()).isEqualTo(2);

        LoadgenFold late = tracking(0);
        stream(late, "a", 0);
        apply(late, phase);
        assertThat(samples(late).obstacle(HEAP)).contains("after the first tracked sample");
    }

    @Test
    void whatCannotBeJudgedSaysWhy() {
        LoadgenFold many = tracking(1);
        for (int i = 0; i <= SuperPassFold.PASSES_MAX; i++) {
            stream(many, "s" + i, i);
        }
        assertThat(samples(many).obstacle(HEAP)).contains("more than 2048 super-passes of 1 samples");

        LoadgenFold full = fold(100, 1 << 14);
        apply(full, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
        for (int i = 0; i < 5000; i++) {
            stream(full, "s" + i, i);
        }
        assertThat(samples(full).obstacle(HEAP)).contains("the memory for values was full");

        LoadgenFold unstreamed = tracking(1);
        apply(unstreamed, at(0, EventType.SAMPLE_ISSUED, "a"), complete(9, "a", 4));
        assertThat(samples(unstreamed).obstacle(HEAP)).contains("no time per output token");

        LoadgenFold small = tracking(1);
        stream(small, "a", 0);
        assertThat(samples(small).obstacle(10)).contains("1 samples need 0 MiB of heap");
    }

    /** MLCommons' definitions, over a list of events. */
    private static final class Model {
        private record Row(int pass, long issued, Long first) {}

        private final Map<String, Row> rows = new LinkedHashMap<>();
        private final List<List<Double>> ttft = new ArrayList<>();
        private final List<List<Double>> tpot = new ArrayList<>();
        private final List<List<Double>> latency = new ArrayList<>();
        private final List<long[]> times = new ArrayList<>();
        private final long size;
        private long ordinal;

        Model(long size) {
            this.size = size;
        }

        void issued(String id, long now) {
            Row row = rows.get(id);
            if (row != null) {
                rows.put(id, new Row(row.pass, now, row.first));
                times.get(row.pass)[1] = Math.max(times.get(row.pass)[1], now);
                event(row.pass, now);
                return;
            }
            int pass = (int) (ordinal++ / size);
            if (pass == times.size()) {
                times.add(new long[] {now, now, now, 0});
                ttft.add(new ArrayList<>());
                tpot.add(new ArrayList<>());
                latency.add(new ArrayList<>());
            }
            times.get(pass)[1] = Math.max(times.get(pass)[1], now);
            times.get(pass)[3]++;
            event(pass, now);
            rows.put(id, new Row(pass, now, null));
        }

        private void event(int pass, long now) {
            times.get(pass)[2] = Math.max(times.get(pass)[2], now);
        }

        void first(String id, long now) {
            Row row = rows.get(id);
            if (row != null) {
                event(row.pass, now);
                if (row.first == null) {
                    ttft.get(row.pass).add((double) (now - row.issued));
                    rows.put(id, new Row(row.pass, row.issued, now));
                }
            }
        }

        void completed(String id, long now, long tokens) {
            Row row = rows.remove(id);
            if (row != null) {
                event(row.pass, now);
                latency.get(row.pass).add((double) (now - row.issued));
                if (row.first != null && tokens > 1) {
                    tpot.get(row.pass).add((double) (now - row.first) / (tokens - 1));
                }
            }
        }
    }

    private static double[] sorted(List<Double> values) {
        double[] all = values.stream().mapToDouble(each -> each).toArray();
        Arrays.sort(all);
        return all;
    }

    @Test
    void randomEventsGiveThePassesOfTheModel() {
        Random random = new Random(Seed.next(SuperPassFoldTest.class));
        for (int round = 0; round < 20; round++) {
            int size = 1 + random.nextInt(40);
            LoadgenFold fold = tracking(size);
            Model model = new Model(size);
            for (int i = 0; i < 12_000; i++) {
                long now = MILLI * (i + random.nextInt(20));
                String id = "s" + (i / 60 * 7 + random.nextInt(30));
                switch (random.nextInt(5)) {
                    case 0, 1 -> {
                        if (model.times.size() < SuperPassFold.PASSES_MAX - 1) {
                            apply(fold, EventRecord.sample(EventType.SAMPLE_ISSUED, now, id));
                            model.issued(id, now);
                        }
                    }
                    case 2, 3 -> {
                        apply(fold, EventRecord.sample(EventType.SAMPLE_RECV_FIRST, now, id));
                        model.first(id, now);
                    }
                    default -> {
                        long tokens = random.nextInt(9);
                        apply(
                                fold,
                                EventRecord.sample(EventType.SAMPLE_COMPLETE, now, id)
                                        .withUsage(Usage.of(1, tokens)));
                        model.completed(id, now, tokens);
                    }
                }
            }
            List<SuperPassSamples.Pass> passes = samples(fold).passes();
            assertThat(passes).hasSize(model.times.size());
            for (int i = 0; i < passes.size(); i++) {
                SuperPassSamples.Pass pass = passes.get(i);
                assertThat(new long[] {
                            pass.firstIssueNanos(), pass.lastIssueNanos(), pass.lastEventNanos(), pass.issued()
                        })
                        .containsExactly(model.times.get(i));
                assertThat(pass.ttft()).containsExactly(sorted(model.ttft.get(i)));
                assertThat(pass.ttftWarm()).containsExactly(sorted(model.ttft.get(i)));
                assertThat(pass.tpot()).containsExactly(sorted(model.tpot.get(i)));
                assertThat(pass.latency()).containsExactly(sorted(model.latency.get(i)));
            }
        }
    }
}
