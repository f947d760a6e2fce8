package io.metricsaggregator.tokens;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Texts from the main loop to the threads {@code tokens-N}, and the turn of large ones between them. */
public final class TokenHandOvers {
    private TokenHandOvers() {}

    /** Two workers take three batches: each comes back once. */
    public static void tokens() throws Exception {
        TokenWorkers workers =
                new TokenWorkers(text -> 1, ChatFormat.beside(Path.of("none", "tokenizer.json")), 2, () -> {});
        TextBatch[] batches = {new TextBatch(1), new TextBatch(1), new TextBatch(1)};
        for (TextBatch each : batches) {
            workers.submit(each);
        }
        int[] back = new int[batches.length];
        for (int i = 0; i < batches.length; i++) {
            TextBatch done = workers.takeDone();
            while (done == null) {
                Thread.yield();
                done = workers.takeDone();
            }
            for (int k = 0; k < batches.length; k++) {
                back[k] += batches[k] == done ? 1 : 0;
            }
        }
        if (back[0] * back[1] * back[2] != 1 || workers.takeDone() != null || !workers.areIdle()) {
            throw new AssertionError("a batch came back twice or not at all");
        }
        workers.stop();
    }

    /** Three threads want the turn for a large text: one has it at a time. */
    public static void largeTexts() throws InterruptedException {
        TextMemory memory = new TextMemory(1 << 30, 2);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Runnable worker = () -> {
            memory.becomeLarge(() -> {});
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            inside.decrementAndGet();
            memory.release(Thread.currentThread());
        };
        Thread[] threads = {new Thread(worker), new Thread(worker), new Thread(worker)};
        for (Thread each : threads) {
            each.start();
        }
        for (Thread each : threads) {
            each.join();
        }
        if (most.get() != 1) {
            throw new AssertionError(most.get() + " large texts at a time");
        }
    }
}
