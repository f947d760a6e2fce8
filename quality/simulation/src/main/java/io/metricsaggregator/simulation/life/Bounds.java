package io.metricsaggregator.simulation.life;

import io.metricsaggregator.run.TextCounting;
import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.machine.Fault;
import io.metricsaggregator.tokens.TokenCountQueue;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.zmtp.ZmtpTransport;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a process holds stays within its bounds: blocks of a fast journal, each used by one at a time, the memory of texts that wait, and what sockets hold. */
final class Bounds {
    /** As of {@code BlockWriter}. */
    private static final int BLOCKS_MAX = 32;

    private static final Field QUEUE = field(TextCounting.class.getName(), "queue");
    private static final Field HELD = field(TokenCountQueue.class.getName(), "heldBytes");

    private final Verdicts verdicts;
    private final long textBytes;
    private final Set<Object> blocks = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable TokenCountQueue texts;
    private @Nullable HeldBySockets held;

    /** Bounds of one life; memory that a thread which hangs keeps is beyond that of texts. */
    Bounds(Verdicts verdicts, LifePlan plan) {
        this.verdicts = verdicts;
        this.textBytes =
                plan.has(Fault.Kind.HANG) ? Long.MAX_VALUE : plan.daemon().textBytes();
    }

    private static Field field(String of, String name) {
        try {
            Field field = Class.forName(of).getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the simulation does not know " + of, e);
        }
    }

    void beginProcess() {
        blocks.clear();
        texts = null;
        held = null;
    }

    /** The process has a transport of its own. */
    void of(ZmtpTransport transport, TransportOptions options) {
        held = new HeldBySockets(verdicts, transport, options);
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

    /** Checks the memory of texts and sockets. */
    void check() {
        if (held != null) {
            held.check();
        }
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

    /** What the daemon's own sockets hold: bytes that were received and are not consumed, and frames for subscribers that do not read. */
    private static final class HeldBySockets {
        /** First size of the receive buffer of a connection, which the budget does not limit. */
        private static final int FIRST_BYTES = 16 * 1024;
        /** The frame that is being written and the latest one; the terminal snapshot may wait behind them. */
        private static final int FRAMES_MAX = 2;

        private static final String ZMTP = "io.metricsaggregator.transport.zmtp.";
        private static final Field CONTEXT = field(ZMTP + "ZmtpTransport", "context");
        private static final Field RECEIVED = field(ZMTP + "ZmtpContext", "receiveBytesHeld");
        private static final Field SOCKETS = field(ZMTP + "ZmtpTransport", "sockets");
        private static final Field CONNECTIONS = field(ZMTP + "ZmtpSocket", "connections");
        private static final Field OUTBOX = field(ZMTP + "ZmtpConnection", "outbox");
        private static final Field QUEUE = field(ZMTP + "Outbox", "queue");
        private static final List<Field> SINGLE =
                List.of(field(ZMTP + "Outbox", "latest"), field(ZMTP + "Outbox", "current"));

        private final Verdicts verdicts;
        private final ZmtpTransport transport;
        private final long budgetBytes;

        HeldBySockets(Verdicts verdicts, ZmtpTransport transport, TransportOptions options) {
            this.verdicts = verdicts;
            this.transport = transport;
            this.budgetBytes = options.receiveBudgetBytes();
        }

        void check() {
            try {
                int connections = 0;
                for (Object socket : (Collection<?>) SOCKETS.get(transport)) {
                    for (Object connection : (Collection<?>) CONNECTIONS.get(socket)) {
                        connections++;
                        Object outbox = OUTBOX.get(connection);
                        int frames = outbox == null ? 0 : frames(outbox);
                        require(frames <= FRAMES_MAX, frames + " frames wait for a subscriber");
                    }
                }
                long bytes = RECEIVED.getLong(CONTEXT.get(transport));
                require(
                        bytes <= budgetBytes + (long) connections * FIRST_BYTES,
                        bytes + " bytes are held for " + connections + " peers, allowed are " + budgetBytes);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("the simulation does not know these sockets", e);
            }
        }

        private static int frames(Object outbox) throws ReflectiveOperationException {
            int frames = ((Collection<?>) QUEUE.get(outbox)).size();
            for (Field each : SINGLE) {
                frames += each.get(outbox) == null ? 0 : 1;
            }
            return frames;
        }

        private void require(boolean holds, String what) {
            verdicts.require(holds, Invariant.BOUNDS_HOLD, what);
        }
    }
}
