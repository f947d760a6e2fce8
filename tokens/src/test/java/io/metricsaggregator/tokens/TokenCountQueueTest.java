package io.metricsaggregator.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventData;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.fold.FoldOptions;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.registry.RawBudget;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class TokenCountQueueTest {
    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final LoadgenFold fold = new LoadgenFold(registry, new FoldOptions(true, 1_000_000, Long.MAX_VALUE, 1));
    private long sample;

    private TokenCountQueue desk(TokenCounter counter, int live, long maxBytes) {
        return desk(counter, live, maxBytes, 60_000_000_000L);
    }

    private TokenCountQueue desk(TokenCounter counter, int live, long maxBytes, long patienceNanos) {
        ChatFormat none;
        try {
            none = ChatFormat.beside(Path.of("none", "tokenizer.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        TokenCountQueue desk =
                new TokenCountQueue(registry, new TokenWorkers(counter, none, live, () -> {}, patienceNanos), maxBytes);
        fold.countTexts(desk);
        apply(EventRecord.session(EventType.SESSION_STARTED, 0));
        apply(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
        return desk;
    }

    private void apply(EventRecord event) {
        byte[] record = new EventEncoder().encode(event);
        DecodedEvent decoded = new DecodedEvent();
        assertThat(new EventDecoder().decode(ByteBuffer.wrap(record), 0, record.length, decoded))
                .isNull();
        fold.apply(new DecodedEvent[] {decoded}, 1);
        java.util.Arrays.fill(record, (byte) 0xc1); // The buffer goes on to other things.
    }

    private void prompt(String text) {
        EventData data = PromptData.ofText(text);
        apply(EventRecord.sample(EventType.SAMPLE_ISSUED, 10, "s" + ++sample).withData(data));
    }

    private void output(long firstNanos, long doneNanos, ModelText text) {
        String id = "s" + sample;
        apply(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, firstNanos, id));
        apply(EventRecord.sample(EventType.SAMPLE_COMPLETE, doneNanos, id)
                .withData(new TextModelOutput(text, null, null)));
    }

    private MetricsSnapshot snapshot(TokenCountQueue desk) {
        List<Metric> metrics = registry.renderExact(registry.newFreeze(), false, () -> false);
        return new MetricsSnapshot(1, 1, SessionState.COMPLETE, desk.pending(), metrics, null);
    }

    private void awaitCounted(TokenCountQueue desk, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
            LockSupport.parkNanos(100_000);
            desk.exchange(fold);
        }
    }

    @Test
    void lengthsAndTimesPerTokenOfAllTextsAreRecordedWhoeverCounted() {
        TokenCountQueue desk = desk(text -> text.split(" ").length, 2, Long.MAX_VALUE);
        for (int i = 1; i <= 1000; i++) {
            prompt("a b c");
            output(100, 100 + 60L * i, new ModelText.Chunks(List.of("first chunk ", "and ", "two more")));
            desk.exchange(fold);
        }
        desk.drain();
        awaitCounted(desk, () -> !desk.isWaiting());
        MetricsSnapshot last = snapshot(desk);
        assertThat(last.pendingTasks()).isZero();
        assertThat(last.counterValue("texts_enqueued")).isEqualTo(2000);
        assertThat(last.counterValue("texts_counted")).isEqualTo(2000);
        assertThat(last.series("isl").count()).isEqualTo(1000);
        assertThat(last.series("isl").total()).isEqualTo(3000L);
        assertThat(last.series("osl").total()).isEqualTo(5000L);
        assertThat(last.series("tpot_ns").count()).isEqualTo(1000);
        assertThat(last.series("tpot_ns").max()).isEqualTo(60.0 * 1000 / 3);
    }

    @Test
    void aTextThatCannotBeCountedHarmsNoOther() {
        TokenCountQueue desk = desk(
                text -> {
                    if (text.startsWith("bad")) {
                        throw new IllegalStateException("no idea");
                    }
                    return text.length();
                },
                1,
                Long.MAX_VALUE);
        for (int i = 0; i < 100; i++) {
            prompt(i % 10 == 3 ? "bad" : "good");
        }
        desk.drain();
        awaitCounted(desk, () -> !desk.isWaiting());
        MetricsSnapshot last = snapshot(desk);
        assertThat(last.series("isl").count()).isEqualTo(90);
        assertThat(last.counterValue("texts_failed")).isEqualTo(10);
        assertThat(last.pendingTasks()).isZero();
    }

    @Test
    void whatAHangingTokenizerHasStaysPendingAndNobodyWaitsForIt() {
        CountDownLatch never = new CountDownLatch(1);
        TokenCountQueue desk = desk(
                text -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return 1;
                },
                1,
                Long.MAX_VALUE);
        prompt("one");
        prompt("two");
        desk.exchange(fold);
        prompt("three");
        desk.drain();
        desk.exchange(fold);
        assertThat(desk.isWaiting()).isTrue();
        assertThat(snapshot(desk).pendingTasks()).isEqualTo(3);
        never.countDown();
        awaitCounted(desk, () -> !desk.isWaiting());
        assertThat(snapshot(desk).series("isl").count()).isEqualTo(3);
    }

    /** A tokenizer that never comes back from some texts. */
    private static TokenCounter hangsAt(String start, CountDownLatch never) {
        return text -> {
            if (text.startsWith(start)) {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return text.length();
        };
    }

    @Test
    void a_worker_that_stands_still_at_a_text_costs_that_text_alone() {
        CountDownLatch never = new CountDownLatch(1);
        TokenCountQueue desk = desk(hangsAt("stuck", never), 1, Long.MAX_VALUE, 200_000_000L);
        for (int i = 0; i < 100; i++) {
            prompt(i == 30 || i == 31 || i == 99 ? "stuck" : "abc");
        }
        desk.drain();
        awaitCounted(desk, () -> !desk.isWaiting());
        MetricsSnapshot last = snapshot(desk);
        assertThat(last.series("isl").total()).isEqualTo(97L * 3);
        assertThat(last.counterValue("texts_failed")).isEqualTo(3);
        assertThat(last.pendingTasks()).isZero();
        // What comes back late changes nothing.
        never.countDown();
        prompt("abc");
        desk.drain();
        awaitCounted(desk, () -> !desk.isWaiting());
        assertThat(snapshot(desk).series("isl").total()).isEqualTo(98L * 3);
        assertThat(snapshot(desk).counterValue("texts_failed")).isEqualTo(3);
    }

    @Test
    void a_tokenizer_that_hangs_at_every_text_ends_the_drain_with_all_of_them_failed() {
        TokenCountQueue desk = desk(hangsAt("", new CountDownLatch(1)), 1, Long.MAX_VALUE, 50_000_000L);
        for (int i = 0; i < 500; i++) {
            prompt("abc");
        }
        desk.drain();
        awaitCounted(desk, () -> !desk.isWaiting());
        prompt("abc");
        desk.drain();
        awaitCounted(desk, () -> !desk.isWaiting());
        assertThat(snapshot(desk).counterValue("texts_failed")).isEqualTo(501);
        assertThat(snapshot(desk).pendingTasks()).isZero();
    }

    @Test
    void a_text_for_which_memory_runs_out_costs_itself_alone() {
        TokenCountQueue desk = desk(
                text -> {
                    if (text.equals("large")) {
                        throw new OutOfMemoryError("as it would be");
                    }
                    return text.length();
                },
                1,
                Long.MAX_VALUE);
        prompt("abc");
        prompt("large");
        prompt("abc");
        desk.drain();
        awaitCounted(desk, () -> !desk.isWaiting());
        assertThat(snapshot(desk).series("isl").total()).isEqualTo(6L);
        assertThat(snapshot(desk).counterValue("texts_failed")).isEqualTo(1);
    }

    @Test
    void aSlowTokenizerHoldsNobodyUpAndEverythingIsCountedInTheEnd() {
        CountDownLatch enqueued = new CountDownLatch(1);
        TokenCountQueue desk = desk(
                text -> {
                    try {
                        enqueued.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return text.length();
                },
                1,
                Long.MAX_VALUE);
        int texts = 4 * TextBatch.ITEMS_MAX + 7;
        for (int i = 0; i < texts; i++) {
            prompt("abc");
            desk.exchange(fold);
        }
        // All events are applied although not one text has been counted.
        assertThat(snapshot(desk).counterValue("tracked_samples_issued")).isEqualTo(texts);
        assertThat(desk.pending()).isEqualTo(texts);
        enqueued.countDown();
        awaitCounted(desk, () -> !desk.isWaiting());
        assertThat(snapshot(desk).series("isl").total()).isEqualTo(3L * texts);
    }

    @Test
    void aTextLongerThanABlockIsCountedAmongOthers() {
        TokenCountQueue desk = desk(String::length, 1, Long.MAX_VALUE);
        prompt("abc");
        prompt("x".repeat(3 * TextBatch.BLOCK_BYTES));
        prompt("abc");
        desk.drain();
        awaitCounted(desk, () -> !desk.isWaiting());
        assertThat(snapshot(desk).series("isl").total()).isEqualTo(6L + 3 * TextBatch.BLOCK_BYTES);
    }

    @Test
    void textsBeyondTheBoundOnMemoryAreDroppedCountedAndPendingForEver() {
        TokenCountQueue desk = desk(String::length, 0, 1 << 20);
        String text = "x".repeat(1000);
        for (int i = 0; i < 3000; i++) {
            prompt(text);
            desk.exchange(fold);
        }
        long dropped = snapshot(desk).counterValue("texts_dropped");
        assertThat(dropped).isBetween(1950L, 2600L);
        desk.drain();
        awaitCounted(desk, () -> !desk.isWaiting());
        MetricsSnapshot last = snapshot(desk);
        assertThat(last.pendingTasks()).isEqualTo(dropped);
        assertThat(last.series("isl").count()).isEqualTo(3000 - dropped);
        // What has been counted makes room.
        prompt(text);
        assertThat(snapshot(desk).counterValue("texts_dropped")).isEqualTo(dropped);
    }

    @Test
    void withoutThreadsEverythingWaitsForTheDrain() {
        TokenCountQueue desk = desk(String::length, 0, Long.MAX_VALUE);
        for (int i = 0; i < 500; i++) {
            prompt("abcd");
            desk.exchange(fold);
        }
        assertThat(desk.pending()).isEqualTo(500);
        desk.drain();
        awaitCounted(desk, () -> !desk.isWaiting());
        assertThat(snapshot(desk).series("isl").total()).isEqualTo(2000L);
    }

    @Test
    void anEmptyOutputAndOneInOnePieceHaveNoTimePerToken() {
        TokenCountQueue desk = desk(String::length, 1, Long.MAX_VALUE);
        prompt("p");
        output(100, 200, new ModelText.Whole(""));
        prompt("p");
        output(100, 200, new ModelText.Whole("whole"));
        prompt("p");
        output(100, 200, new ModelText.Chunks(List.of("only")));
        desk.drain();
        awaitCounted(desk, () -> !desk.isWaiting());
        MetricsSnapshot last = snapshot(desk);
        assertThat(last.series("osl").count()).isEqualTo(2);
        assertThat(last.series("tpot_ns").count()).isZero();
    }
}
