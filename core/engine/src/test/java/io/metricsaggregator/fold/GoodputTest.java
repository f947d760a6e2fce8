package io.metricsaggregator.fold;

import static io.metricsaggregator.fold.Events.apply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.PendingOutput;
import io.metricsaggregator.text.PendingPrompt;
import io.metricsaggregator.text.TextSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GoodputTest {
    private static final long MILLI = 1_000_000L;

    private static LoadgenFold fold(Slo slo) {
        Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        LoadgenFold fold = new LoadgenFold(
                registry, new RecordLedger(), new FoldOptions(true, 1_000_000, Long.MAX_VALUE, 1, slo, TimeCut.NONE));
        apply(fold, EventRecord.session(EventType.SESSION_STARTED, 0));
        apply(fold, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
        return fold;
    }

    private static EventRecord at(long millis, EventType type, String id) {
        return EventRecord.sample(type, millis * MILLI, id);
    }

    private static long met(Goodput goodput, String name) {
        return goodput.constraints().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow()
                .met();
    }

    @Test
    void aSampleIsGoodIfItMeetsEveryLimitInclusive() {
        LoadgenFold fold = fold(new Slo(500 * MILLI, Slo.NONE, 2000 * MILLI, 0.9));
        apply(
                fold,
                at(0, EventType.SAMPLE_ISSUED, "good"),
                at(500, EventType.SAMPLE_RECV_FIRST, "good"),
                at(2000, EventType.SAMPLE_COMPLETE, "good"),
                at(0, EventType.SAMPLE_ISSUED, "late first"),
                at(501, EventType.SAMPLE_RECV_FIRST, "late first"),
                at(600, EventType.SAMPLE_COMPLETE, "late first"),
                at(0, EventType.SAMPLE_ISSUED, "slow"),
                at(5, EventType.SAMPLE_RECV_FIRST, "slow"),
                at(2001, EventType.SAMPLE_COMPLETE, "slow"),
                at(0, EventType.SAMPLE_ISSUED, "failed"),
                at(1, EventType.ERROR_CLIENT, "failed"),
                at(2, EventType.SAMPLE_COMPLETE, "failed"),
                at(0, EventType.SAMPLE_ISSUED, "in one piece"),
                at(400, EventType.SAMPLE_COMPLETE, "in one piece"),
                at(0, EventType.SAMPLE_ISSUED, "in one late piece"),
                at(900, EventType.SAMPLE_COMPLETE, "in one late piece"),
                at(0, EventType.SAMPLE_ISSUED, "still in flight"));
        Goodput goodput = fold.goodput();
        assertThat(goodput.judged()).isEqualTo(6);
        assertThat(goodput.good()).isEqualTo(2);
        assertThat(met(goodput, "ttft")).isEqualTo(3);
        assertThat(met(goodput, "latency")).isEqualTo(4);
        assertThat(goodput.budgetLeft()).isEqualTo(-4);
        assertThat(goodput.isMet()).isFalse();
        assertThat(fold.slices().column("good")).containsExactly(1, 0, 1);
    }

    @Test
    void untrackedSamplesAreNotJudged() {
        LoadgenFold fold = fold(new Slo(Slo.NONE, Slo.NONE, MILLI, 0.9));
        apply(fold, EventRecord.session(EventType.SESSION_STOP_PERFORMANCE_TRACKING, 0));
        apply(fold, at(0, EventType.SAMPLE_ISSUED, "a"), at(1, EventType.SAMPLE_COMPLETE, "a"));
        assertThat(fold.goodput().judged()).isZero();
        assertThat(fold.goodput().share()).isNull();
    }

    @Test
    void withALimitPerTokenASampleIsJudgedWhenItsOutputIsCounted() {
        LoadgenFold fold = fold(new Slo(Slo.NONE, 40 * MILLI, Slo.NONE, 0.5));
        List<PendingOutput> queued = new ArrayList<>();
        fold.countTexts(new TextSink() {
            @Override
            public boolean prompt(DecodedEvent event, PendingPrompt pending) {
                return false;
            }

            @Override
            public boolean output(DecodedEvent event, PendingOutput pending) {
                queued.add(pending);
                return queued.size() <= 4;
            }
        });
        for (int i = 0; i < 5; i++) {
            String id = "s" + i;
            apply(fold, at(i, EventType.SAMPLE_ISSUED, id), at(10, EventType.SAMPLE_RECV_FIRST, id));
            apply(
                    fold,
                    at(410, EventType.SAMPLE_COMPLETE, id)
                            .withData(new TextModelOutput(new ModelText.Chunks(List.of("a", "b")), null, null)));
        }
        // The queue dropped the fifth output.
        assertThat(fold.goodput().judged()).isZero();
        assertThat(fold.goodput().unjudged()).isEqualTo(1);
        PendingOutput pending = queued.get(0);
        assertThat(pending.sinceFirstNanos()).isEqualTo(400 * MILLI);
        assertThat(pending.limitsMet()).isEqualTo(LimitsMet.BOTH);
        fold.tokenCounts().outputCounted(pending, 11, 10);
        fold.tokenCounts().outputCounted(pending, 10, 9);
        fold.tokenCounts().outputEmpty(pending);
        fold.tokenCounts().outputNotCounted(pending);
        Goodput goodput = fold.goodput();
        assertThat(goodput.judged()).isEqualTo(3);
        assertThat(goodput.good()).isEqualTo(2);
        assertThat(goodput.unjudged()).isEqualTo(2);
        assertThat(goodput.isMet()).isTrue();
        assertThat(goodput.budgetLeft()).isZero();
        assertThat(fold.slices().column("good")).containsExactly(2);
    }

    @Test
    void aTimeWindowEqualsARunTrackedOnlyInThatWindow() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("GoodputTest seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            long from = random.nextInt(1000);
            long to = from + 1 + random.nextInt(1000);
            long warmup = random.nextInt(300);
            long tracking = random.nextInt(400);
            TimeCut cut = new TimeCut(warmup * MILLI, from * MILLI, to * MILLI);
            Registry cutRegistry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
            LoadgenFold folded = new LoadgenFold(
                    cutRegistry, new RecordLedger(), new FoldOptions(true, 1_000_000, Long.MAX_VALUE, 1, null, cut));
            Registry plainRegistry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
            LoadgenFold plain = new LoadgenFold(
                    plainRegistry, new RecordLedger(), new FoldOptions(true, 1_000_000, Long.MAX_VALUE, 1));
            apply(folded, EventRecord.session(EventType.SESSION_STARTED, 0));
            apply(plain, EventRecord.session(EventType.SESSION_STARTED, 0));
            long opens = Math.max(from, tracking + warmup);
            for (long now = 0; now < 2000; now++) {
                if (now == tracking) {
                    apply(folded, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, now * MILLI));
                }
                if (now == opens && opens < to) {
                    apply(plain, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, now * MILLI));
                }
                if (now == to && opens < to) {
                    apply(plain, EventRecord.session(EventType.SESSION_STOP_PERFORMANCE_TRACKING, now * MILLI));
                }
                String id = "s" + random.nextInt(40);
                EventType type = List.of(
                                EventType.SAMPLE_ISSUED,
                                EventType.SAMPLE_RECV_FIRST,
                                EventType.ERROR_CLIENT,
                                EventType.SAMPLE_COMPLETE)
                        .get(random.nextInt(4));
                apply(folded, at(now, type, id));
                apply(plain, at(now, type, id));
            }
            folded.refresh();
            plain.refresh();
            assertThat(cutRegistry.renderExact(cutRegistry.newCopy(), false, () -> false).stream()
                            .map(Object::toString)
                            .filter(text -> !text.contains("records_applied") && !text.contains("records_received"))
                            .map(text -> text.replaceAll("hdr=\\S+", "")))
                    .as("from %s to %s ms, warm-up %s ms, tracked from %s ms", from, to, warmup, tracking)
                    .containsExactlyElementsOf(
                            plainRegistry.renderExact(plainRegistry.newCopy(), false, () -> false).stream()
                                    .map(Object::toString)
                                    .filter(text ->
                                            !text.contains("records_applied") && !text.contains("records_received"))
                                    .map(text -> text.replaceAll("hdr=\\S+", ""))
                                    .toList());
        }
    }

    @Test
    void objectivesWithoutALimitAreRejected() {
        assertThatThrownBy(() -> new Slo(Slo.NONE, Slo.NONE, Slo.NONE, 0.9)).hasMessageContaining("no objective");
        assertThatThrownBy(() -> new Slo(1, Slo.NONE, Slo.NONE, 0)).hasMessageContaining("share");
    }
}
