package io.metricsaggregator.otlp;

import java.util.List;

/** Requests from the threads of connections to the main loop. */
public final class SpanHandOver {
    private SpanHandOver() {}

    /** Two threads offer while the owner polls and closes: what was accepted and not polled is gone with the close, and nothing is accepted afterwards. */
    public static void spans() throws InterruptedException {
        SpanQueue queue = new SpanQueue(1);
        boolean[] accepted = new boolean[2];
        Thread one = new Thread(() -> accepted[0] = queue.offer(wish(1)));
        Thread two = new Thread(() -> accepted[1] = queue.offer(wish(2)));
        one.start();
        two.start();
        SpanQueue.Item seen = queue.peek();
        SpanQueue.Item polled = queue.poll();
        if (seen != null && seen != polled) {
            throw new AssertionError("polled another item than the one seen");
        }
        queue.close();
        if (queue.offer(wish(3)) || queue.poll() != null) {
            throw new AssertionError("not closed");
        }
        one.join();
        two.join();
        if (queue.poll() != null || (polled != null && !accepted[0] && !accepted[1])) {
            throw new AssertionError("an item that nobody offered");
        }
    }

    private static SpanQueue.Item wish(long nanos) {
        return new SpanQueue.Item(List.of(), SpanQueue.SessionWish.START, nanos);
    }
}
