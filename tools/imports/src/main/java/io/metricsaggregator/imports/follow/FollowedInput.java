package io.metricsaggregator.imports.follow;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/**
 * A stream of what a tool still writes. A read waits for the next bytes, and returns the end once the tool or the caller has ended it; what
 * was written until then is read first. One thread reads; any may call {@link #stop}.
 */
public abstract sealed class FollowedInput extends InputStream permits GrowingFile, PipedInput {
    private static final long POLL_MILLIS = 50;
    /** Time that is read on after {@link #stop}, from an input that never pauses. */
    private static final long STOP_NANOS = 2_000_000_000L;

    private final byte[] single = new byte[1];
    private final Watch watch;
    private final long idleMaxNanos;
    private volatile boolean stopped;
    private long stoppedNanos;
    private long lastNanos;
    private boolean any;

    /** What happens while nothing can be read; called on the reading thread. */
    public interface Watch {
        /** Called about every 50 ms while nothing is there. */
        void idle() throws IOException;

        /** Whether the tool has ended, so that nothing more will be written; what is there is still read. */
        boolean hasEnded();
    }

    /**
     * Creates the stream.
     *
     * @param idleMaxNanos the stream ends when nothing came for so long after its first bytes; 0: never
     */
    FollowedInput(Watch watch, long idleMaxNanos) {
        this.watch = watch;
        this.idleMaxNanos = idleMaxNanos;
    }

    /** Reads what is there without waiting; 0 if nothing is, −1 if nothing will ever be. */
    abstract int readNow(byte[] into, int offset, int length) throws IOException;

    /** Ends the stream after what is there now. */
    public final void stop() {
        stopped = true;
    }

    @Override
    public final int read() throws IOException {
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public final int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        boolean last = false;
        while (true) {
            boolean ending = last;
            int read = isOverdue() ? -1 : readNow(into, offset, length);
            if (read != 0) {
                any |= read > 0;
                lastNanos = System.nanoTime();
                return read;
            }
            if (ending) {
                return -1;
            }
            watch.idle();
            // Asked before the last attempt to read: what the tool wrote before its end is there.
            last = stopped || watch.hasEnded() || isIdle();
            if (!last) {
                pause();
            }
        }
    }

    private boolean isIdle() {
        return any && idleMaxNanos > 0 && System.nanoTime() - lastNanos > idleMaxNanos;
    }

    private boolean isOverdue() {
        if (!stopped) {
            return false;
        }
        if (stoppedNanos == 0) {
            stoppedNanos = System.nanoTime();
        }
        return System.nanoTime() - stoppedNanos > STOP_NANOS;
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a file was followed", e);
        }
    }
}
