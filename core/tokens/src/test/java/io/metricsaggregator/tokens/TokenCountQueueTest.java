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
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.PendingOutput;
import io.metricsaggregator.text.PendingPrompt;
import io.metricsaggregator.text.TokenCountSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TokenCountQueueTest {
    private final Counts counts = new Counts();

    /** Collects the returned counts in place of the fold. */
    private static final class Counts implements TokenCountSink {
        private final List<Long> prompts = new ArrayList<>();
        private final List<Output> outputs = new ArrayList<>();
        private final List<List<Long>> parts = new ArrayList<>();
        private final List<PendingPrompt> pendingPrompts = new ArrayList<>();
        private final List<PendingOutput> empty = new ArrayList<>();
        private final List<PendingOutput> notCounted = new ArrayList<>();

        private record Output(PendingOutput pending, long tokens, long tokensAfterFirst) {}

        long promptTokens() {
            return prompts.stream().mapToLong(Long::longValue).sum();
        }

        @Override
        public void promptCounted(PendingPrompt pending, long tokens) {
            prompts.add(tokens);
            pendingPrompts.add(pending);
        }

        @Override
        public void promptNotCounted(PendingPrompt pending) {
            pendingPrompts.add(pending);
        }

        @Override
        public void outputCounted(PendingOutput pending, long tokens, long tokensAfterFirst) {
            outputs.add(new Output(pending, tokens, tokensAfterFirst));
        }

        @Override
        public void partsCounted(PendingOutput pending, long reasoning, long answer) {
            parts.add(List.of(reasoning, answer));
        }

        @Override
        public void outputEmpty(PendingOutput pending) {
            empty.add(pending);
        }

        @Override
        public void outputNotCounted(PendingOutput pending) {
            notCounted.add(pending);
        }
    }

    private static TokenCountQueue queue(TokenCounter counter, int live, long maxBytes) {
        return queue(counter, live, maxBytes, 60_000_000_000L);
    }

    private static TokenCountQueue queue(TokenCounter counter, int live, long maxBytes, long patienceNanos) {
        ChatFormat none;
        try {
            none = ChatFormat.beside(Path.of("none", "tokenizer.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new TokenCountQueue(
                new TokenWorkers(counter, none, live, () -> {}, patienceNanos),
                () -> ByteBuffer.allocate(TokenCountQueue.BLOCK_BYTES),
                maxBytes);
    }

    private static byte[] encode(EventType type, EventData data) {
        return new EventEncoder().encode(EventRecord.sample(type, 10, "s").withData(data));
    }

    private static DecodedEvent decode(byte[] record) {
        DecodedEvent decoded = new DecodedEvent();
        assertThat(new EventDecoder().decode(ByteBuffer.wrap(record), 0, record.length, decoded))
                .isNull();
        return decoded;
    }

    private static void prompt(TokenCountQueue queue, String text) {
        byte[] record = encode(EventType.SAMPLE_ISSUED, PromptData.ofText(text));
        queue.prompt(decode(record), new PendingPrompt(1L << 40, 77, 1L << 60, 1L << 33));
        Arrays.fill(record, (byte) 0xc1); // The transport overwrites its receive buffer.
    }

    private static boolean output(TokenCountQueue queue, PendingOutput pending, ModelText text) {
        byte[] record = encode(EventType.SAMPLE_COMPLETE, new TextModelOutput(text, null, null));
        boolean queued = queue.output(decode(record), pending);
        Arrays.fill(record, (byte) 0xc1);
        return queued;
    }

    private void awaitCounted(TokenCountQueue queue, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
            LockSupport.parkNanos(100_000);
            queue.exchange(counts);
        }
    }

    private static Set<Thread> workers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().startsWith("tokens-"))
                .collect(Collectors.toSet());
    }

    @Test
    void no_thread_is_left_after_a_stop() throws InterruptedException {
        Set<Thread> before = workers();
        TokenCountQueue queue = queue(text -> 1, 2, Long.MAX_VALUE);
        prompt(queue, "a");
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        Set<Thread> own = workers();
        own.removeAll(before);
        assertThat(own).isNotEmpty();
        queue.stop();
        for (Thread each : own) {
            each.join(10_000);
            assertThat(each.isAlive()).as(each.getName()).isFalse();
        }
    }

    @Test
    void counts_return_with_their_pending_output_whichever_worker_counted() {
        TokenCountQueue queue = queue(text -> text.split(" ").length, 2, Long.MAX_VALUE);
        List<PendingOutput> queued = new ArrayList<>();
        for (int i = 1; i <= 1000; i++) {
            prompt(queue, "a b c");
            PendingOutput pending = new PendingOutput(
                    60L * i, 7L * i, 100 + 60L * i, LimitsMet.values()[i % LimitsMet.values().length]);
            queued.add(pending);
            output(queue, pending, new ModelText.Chunks(List.of("first chunk ", "and ", "two more")));
            queue.exchange(counts);
        }
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(queue.pending()).isZero();
        assertThat(queue.enqueued()).isEqualTo(2000);
        assertThat(queue.counted()).isEqualTo(2000);
        assertThat(counts.prompts).hasSize(1000).containsOnly(3L);
        assertThat(counts.outputs).extracting(Counts.Output::pending).containsExactlyInAnyOrderElementsOf(queued);
        assertThat(counts.outputs).allSatisfy(output -> {
            assertThat(output.tokens()).isEqualTo(5);
            assertThat(output.tokensAfterFirst()).isEqualTo(3);
        });
    }

    @Test
    void aTextThatCannotBeCountedDoesNotAffectOthers() {
        TokenCountQueue queue = queue(
                text -> {
                    if (text.startsWith("bad")) {
                        throw new IllegalStateException("scripted failure");
                    }
                    return text.length();
                },
                1,
                Long.MAX_VALUE);
        for (int i = 0; i < 100; i++) {
            prompt(queue, i % 10 == 3 ? "bad" : "good");
        }
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(counts.prompts.size()).isEqualTo(90);
        assertThat(queue.failed()).isEqualTo(10);
        assertThat(queue.pending()).isZero();
    }

    @Test
    void textsInAHangingTokenizerStayPendingAndNothingWaitsForThem() {
        CountDownLatch never = new CountDownLatch(1);
        TokenCountQueue queue = queue(
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
        prompt(queue, "one");
        prompt(queue, "two");
        queue.exchange(counts);
        prompt(queue, "three");
        queue.drain();
        queue.exchange(counts);
        assertThat(queue.isWaiting()).isTrue();
        assertThat(queue.pending()).isEqualTo(3);
        never.countDown();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(counts.prompts.size()).isEqualTo(3);
    }

    /** A tokenizer that never returns from texts with a given start. */
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
    void a_worker_that_hangs_at_a_text_fails_only_that_text_and_the_memory_that_it_keeps_holds_nothing_up() {
        CountDownLatch never = new CountDownLatch(1);
        // Workers that hang keep more than half of it, and leave room for a block.
        TokenCountQueue queue = queue(hangsAt("stuck", never), 1, 300_000, 200_000_000L);
        for (int i = 0; i < 100; i++) {
            prompt(queue, i == 30 || i == 31 || i == 99 ? "stuck" : "abc");
        }
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(counts.promptTokens()).isEqualTo(97L * 3);
        assertThat(queue.failed()).isEqualTo(3);
        assertThat(queue.pending()).isZero();
        assertThat(queue.isCrowded()).isFalse();
        // A count that arrives after the worker was abandoned is ignored.
        never.countDown();
        prompt(queue, "abc");
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(counts.promptTokens()).isEqualTo(98L * 3);
        assertThat(queue.failed()).isEqualTo(3);
    }

    @Test
    void a_tokenizer_that_hangs_at_every_text_ends_the_drain_with_all_texts_failed() {
        TokenCountQueue queue = queue(hangsAt("", new CountDownLatch(1)), 1, Long.MAX_VALUE, 50_000_000L);
        for (int i = 0; i < 500; i++) {
            prompt(queue, "abc");
        }
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        prompt(queue, "abc");
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(queue.failed()).isEqualTo(501);
        assertThat(queue.pending()).isZero();
    }

    @Test
    void a_text_that_exhausts_the_heap_fails_alone() {
        TokenCountQueue queue = queue(
                text -> {
                    if (text.equals("large")) {
                        throw new OutOfMemoryError("scripted failure");
                    }
                    return text.length();
                },
                1,
                Long.MAX_VALUE);
        prompt(queue, "abc");
        prompt(queue, "large");
        prompt(queue, "abc");
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(counts.promptTokens()).isEqualTo(6L);
        assertThat(queue.failed()).isEqualTo(1);
    }

    @Test
    void aSlowTokenizerDoesNotBlockTheCallerAndEveryTextIsCountedInTheEnd() {
        CountDownLatch enqueued = new CountDownLatch(1);
        TokenCountQueue queue = queue(
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
            prompt(queue, "abc");
            queue.exchange(counts);
        }
        assertThat(queue.pending()).isEqualTo(texts);
        enqueued.countDown();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(counts.promptTokens()).isEqualTo(3L * texts);
    }

    @Test
    void aTextLongerThanABlockIsCounted() {
        TokenCountQueue queue = queue(String::length, 1, Long.MAX_VALUE);
        prompt(queue, "abc");
        prompt(queue, "x".repeat(3 * TextBatch.BLOCK_BYTES));
        prompt(queue, "abc");
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(counts.promptTokens()).isEqualTo(6L + 3 * TextBatch.BLOCK_BYTES);
    }

    @Test
    void textsBeyondTheMemoryLimitAreDroppedAndStayPending() {
        TokenCountQueue queue = queue(String::length, 0, 1 << 20);
        String text = "x".repeat(1000);
        for (int i = 0; i < 3000; i++) {
            prompt(queue, text);
            queue.exchange(counts);
        }
        long dropped = queue.dropped();
        assertThat(dropped).isBetween(1950L, 2600L);
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(queue.pending()).isEqualTo(dropped);
        assertThat(counts.prompts.size()).isEqualTo(3000 - dropped);
        // Counted texts release their memory.
        prompt(queue, text);
        assertThat(queue.dropped()).isEqualTo(dropped);
    }

    @Test
    void withoutLiveThreadsTextsWaitForTheDrain() {
        TokenCountQueue queue = queue(String::length, 0, Long.MAX_VALUE);
        for (int i = 0; i < 500; i++) {
            prompt(queue, "abcd");
            queue.exchange(counts);
        }
        assertThat(queue.pending()).isEqualTo(500);
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(counts.promptTokens()).isEqualTo(2000L);
    }

    @Test
    void an_empty_output_returns_as_empty_and_an_unstreamed_one_has_no_tokens_after_its_first_chunk() {
        TokenCountQueue queue = queue(String::length, 1, Long.MAX_VALUE);
        PendingOutput pending = new PendingOutput(100, 50, 200, LimitsMet.JUDGED);
        output(queue, pending, new ModelText.Whole(""));
        output(queue, pending, new ModelText.Whole("whole"));
        output(queue, pending, new ModelText.Chunks(List.of("only")));
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(counts.empty).containsExactly(pending);
        assertThat(counts.outputs).containsExactly(new Counts.Output(pending, 5, 0), new Counts.Output(pending, 4, 0));
    }

    @Test
    void an_output_that_cannot_be_counted_returns_as_not_counted_and_a_dropped_one_does_not_return() {
        TokenCountQueue queue = queue(
                text -> {
                    throw new IllegalStateException("scripted failure");
                },
                1,
                Long.MAX_VALUE);
        PendingOutput pending = new PendingOutput(PendingOutput.NO_FIRST_CHUNK, 50, 200, LimitsMet.TTFT);
        assertThat(output(queue, pending, new ModelText.Whole("text"))).isTrue();
        queue.refuse(true);
        assertThat(output(queue, pending, new ModelText.Whole("text"))).isFalse();
        queue.drain();
        awaitCounted(queue, () -> !queue.isWaiting());
        assertThat(counts.notCounted).containsExactly(pending);
        assertThat(queue.dropped()).isEqualTo(1);
    }
}
