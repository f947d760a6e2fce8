package io.metricsaggregator.fold;

import io.metricsaggregator.text.PendingOutput;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the events of a lane do to figures that need the order of all samples' events, in the order of the lane's events: numbers in an array that is
 * recycled with its {@link EventBatch}. The lane writes, then {@link OrderedFold} reads. Rows of samples are numbered so that no two lanes share a number.
 */
final class LaneEffects {
    // Operations, each with its arguments behind it.
    static final int IN_FLIGHT = 0;
    static final int TRACKED = 1;
    static final int UNTRACKED_BATCH = 2;
    static final int FIRST_TIME = 3;
    static final int FIRST_OF_PASS = 4;
    static final int COMPLETED_BATCH = 5;
    static final int COMPLETED_PASS = 6;
    static final int GOOD = 7;
    static final int NOT_COUNTED = 8;
    static final int OUTPUT = 9;
    static final int UNTRACKED_OUTPUT = 10;
    static final int PROMPT = 11;
    static final int PROMPT_KNOWN = 12;
    static final int PROMPT_UNKNOWN = 13;
    static final int PROMPT_COMPLETED = 14;
    static final int USAGE = 15;
    static final int TURN_ISSUED = 16;
    static final int TURN_FIRST = 17;
    static final int TURN_COMPLETED = 18;
    static final int TURN_EVICTED = 19;
    static final int TURN_INPUT = 20;

    private static final int OPERATION_BITS = 8;
    private static final int FIRST_ROOM = 1024;
    private static final int ARGUMENTS_MAX = 8;

    private final int lane;
    private final int laneCount;
    private long[] log = new long[FIRST_ROOM];
    private int written;
    private int read;
    private int event;
    private @Nullable PendingOutput[] outputs = new @Nullable PendingOutput[16];
    private int outputsWritten;
    private int outputsRead;

    LaneEffects(int lane, int laneCount) {
        this.lane = lane;
        this.laneCount = laneCount;
    }

    void clear() {
        written = 0;
        read = 0;
        Arrays.fill(outputs, 0, outputsWritten, null);
        outputsWritten = 0;
        outputsRead = 0;
    }

    /** Begins the effects of an event, by its number in the batch. */
    void begin(int number) {
        event = number;
    }

    /** The number of a row among the rows of all lanes. */
    long row(int row) {
        return (long) row * laneCount + lane;
    }

    private void operation(int operation) {
        if (written + ARGUMENTS_MAX >= log.length) {
            log = Arrays.copyOf(log, 2 * log.length);
        }
        log[written++] = (long) event << OPERATION_BITS | operation;
    }

    void add(int operation) {
        operation(operation);
    }

    void add(int operation, long a) {
        operation(operation);
        log[written++] = a;
    }

    void add(int operation, long a, long b) {
        add(operation, a);
        log[written++] = b;
    }

    void add(int operation, long a, long b, long c) {
        add(operation, a, b);
        log[written++] = c;
    }

    void add(int operation, long a, long b, long c, long d) {
        add(operation, a, b, c);
        log[written++] = d;
    }

    void completed(long issuedNanos, long nanos, boolean failed, boolean awaitsCount, long chunks, long chunkNanos) {
        add(COMPLETED_BATCH, issuedNanos, nanos, (failed ? 1 : 0) | (awaitsCount ? 2 : 0), chunks);
        log[written++] = chunkNanos;
    }

    void output(int row, int firstTokens, PendingOutput pending) {
        add(OUTPUT, row(row), firstTokens);
        if (outputsWritten == outputs.length) {
            outputs = Arrays.copyOf(outputs, 2 * outputsWritten);
        }
        outputs[outputsWritten++] = pending;
    }

    /** Returns the next operation of an event; −1 if there is none. */
    int next(int number) {
        if (read == written || log[read] >>> OPERATION_BITS != number) {
            return -1;
        }
        return (int) log[read++] & ((1 << OPERATION_BITS) - 1);
    }

    /** Returns the next argument of the operation. */
    long argument() {
        return log[read++];
    }

    /** Returns the output of an operation {@link #OUTPUT}. */
    PendingOutput nextOutput() {
        PendingOutput next = outputs[outputsRead++];
        if (next == null) {
            throw new IllegalStateException("a lane logged no output");
        }
        return next;
    }
}
