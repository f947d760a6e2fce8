package io.metricsaggregator.proxy;

import io.metricsaggregator.codec.BoundedBytes;
import java.io.IOException;

/** A body that is held until it is complete, within its own limit and the budget of all. One owner. */
final class HeldBody {
    private static final byte[] NONE = {};

    private final BodyBudget budget;
    private final BoundedBytes bytes;
    private long taken;
    private boolean complete = true;

    HeldBody(BodyBudget budget, int maxBytes) {
        this.budget = budget;
        this.bytes = new BoundedBytes(maxBytes);
    }

    /** Adds bytes; beyond a limit the body is given up. */
    void add(byte[] from, int offset, int count) {
        if (!complete) {
            return;
        }
        complete = budget.take(count);
        if (complete) {
            taken += count;
            try {
                bytes.write(from, offset, count);
            } catch (IOException e) {
                complete = false;
            }
        }
        if (!complete) {
            drop();
        }
    }

    /** The body; empty if it was given up. Gives its memory back. */
    byte[] take() {
        byte[] body = complete ? bytes.toByteArray() : NONE;
        drop();
        return body;
    }

    private void drop() {
        budget.give(taken);
        taken = 0;
        complete = false;
        bytes.reset(0);
    }
}
