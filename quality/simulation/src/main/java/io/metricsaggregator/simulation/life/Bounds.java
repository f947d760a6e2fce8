package io.metricsaggregator.simulation.life;

import io.metricsaggregator.run.TextCounting;
import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.machine.Fault;
import io.metricsaggregator.tokens.TokenCountQueue;
import java.lang.reflect.Field;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a process holds stays within its bounds: blocks of a fast journal, each used by one at a time, and the memory of texts that wait. */
final class Bounds {
    /** As of {@code BlockWriter}. */
    private static final int BLOCKS_MAX = 32;

    private static final Field QUEUE = field(TextCounting.class, "queue");
    private static final Field HELD = field(TokenCountQueue.class, "heldBytes");

    private final Verdicts verdicts;
    private final long textBytes;
    private final Set<Object> blocks = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable TokenCountQueue texts;

    /** Bounds of one life; memory that a thread which hangs keeps is beyond that of texts. */
    Bounds(Verdicts verdicts, LifePlan plan) {
        this.verdicts = verdicts;
        this.textBytes =
                plan.has(Fault.Kind.HANG) ? Long.MAX_VALUE : plan.daemon().textBytes();
    }

    private static Field field(Class<?> of, String name) {
        try {
            Field field = of.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the simulation does not know these texts", e);
        }
    }

    void beginProcess() {
        blocks.clear();
        texts = null;
    }

    /** A run counts its texts from now on. */
    void texts(TextCounting counting) {
        try {
            texts = (TokenCountQueue) QUEUE.get(counting);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the simulation does not know these texts", e);
        }
    }

    /** The receiving thread has taken a block. */
    void taken(Object block) {
        require(blocks.add(block), "a block is taken that is in use");
        require(blocks.size() <= BLOCKS_MAX, blocks.size() + " blocks are in use");
    }

    /** A thread gives a block back. */
    void given(Object block) {
        require(blocks.remove(block), "a block is given back that is not in use");
    }

    /** Checks the memory of texts. */
    void check() {
        TokenCountQueue queue = texts;
        try {
            long held = queue == null ? 0 : HELD.getLong(queue);
            require(held <= textBytes, held + " bytes of texts wait, allowed are " + textBytes);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the simulation does not know these texts", e);
        }
    }

    private void require(boolean holds, String what) {
        verdicts.require(holds, Invariant.BOUNDS_HOLD, what);
    }
}
