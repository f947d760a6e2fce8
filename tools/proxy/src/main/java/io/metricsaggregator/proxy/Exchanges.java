package io.metricsaggregator.proxy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The exchanges of a connection whose answers are not complete, in their order. Thread-safe. */
final class Exchanges {
    /** Requests that a client may send before it gets an answer; further ones wait. */
    private static final int PIPELINED_MAX = 1024;

    private final ArrayDeque<Exchange> open = new ArrayDeque<>();
    private boolean lost;
    private boolean closed;

    /** Adds an exchange; waits while too many are open. Returns false if its answer will not be followed. */
    synchronized boolean add(Exchange exchange) {
        await(() -> open.size() < PIPELINED_MAX);
        if (!lost) {
            open.add(exchange);
        }
        return !lost;
    }

    /** The exchange whose answer is next; null if there is none. */
    synchronized @Nullable Exchange first() {
        return open.peek();
    }

    /** Ends the exchange whose answer is complete. */
    synchronized void removeFirst() {
        open.poll();
        notifyAll();
    }

    synchronized boolean isEmpty() {
        return open.isEmpty();
    }

    /** Whether the answers are not followed any more. */
    synchronized boolean isLost() {
        return lost;
    }

    /** The answers are not followed any more; returns the exchanges that were open. */
    synchronized List<Exchange> lose() {
        lost = true;
        return takeAll();
    }

    /** The connection is closed; returns the exchanges that were open. */
    synchronized List<Exchange> close() {
        closed = true;
        return takeAll();
    }

    private List<Exchange> takeAll() {
        List<Exchange> all = new ArrayList<>(open);
        open.clear();
        notifyAll();
        return all;
    }

    /** Tells waiting threads that the state of an exchange changed. */
    synchronized void changed() {
        notifyAll();
    }

    /** Waits until an exchange says which protocol follows it; returns when the connection is closed or not followed. */
    synchronized void awaitUpgrade(Exchange exchange) {
        await(() -> exchange.isUpgradeDecided() || lost);
    }

    /**
     * Waits until all answers but that of one exchange are complete.
     *
     * @param except null to wait for all
     */
    synchronized void awaitAnswered(@Nullable Exchange except) {
        await(() -> lost || open.isEmpty() || (open.size() == 1 && open.peek() == except));
    }

    private void await(BooleanSupplier condition) {
        try {
            while (!closed && !condition.getAsBoolean()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
