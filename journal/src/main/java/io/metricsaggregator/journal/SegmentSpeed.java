package io.metricsaggregator.journal;

/**
 * Decides how the next segment is written: a stream above {@value #FAST_BYTES} bytes a second with direct I/O, a slower one through the page cache, where
 * small bursts cost the disk least. A disk that holds the receiving thread up gets the page cache again, for some time. Belongs to the receiving thread.
 */
final class SegmentSpeed {
    /** Bytes a second from which on a stream is fast. */
    static final long FAST_BYTES = 100_000_000;
    /** Bytes of a segment before its speed is judged. */
    static final long JUDGED_BYTES = 32 << 20;

    private static final int BUFFERED_AFTER_WAITS = 16;

    private boolean direct;
    private boolean refused;
    /** Segments that stay in the page cache whatever their speed. */
    private int held;

    /** Whether the next segment is to be written with direct I/O. */
    boolean isDirect() {
        return direct && !refused && held == 0;
    }

    /** Whether a segment in the page cache is to be ended early, because its stream is fast. */
    boolean isWorthDirect(long bytes, long nanos) {
        return !refused && held == 0 && bytes >= JUDGED_BYTES && isFast(bytes, nanos);
    }

    private static boolean isFast(long bytes, long nanos) {
        return bytes > FAST_BYTES / 1e9 * nanos;
    }

    /** A segment in the page cache has ended. */
    void buffered(long bytes, long nanos) {
        direct = isFast(bytes, nanos);
        held = Math.max(0, held - 1);
    }

    /** A segment written with direct I/O has ended, for which the receiving thread waited some time. */
    void direct(long bytes, long nanos, long waitedNanos) {
        direct = isFast(bytes, nanos);
        if (waitedNanos > nanos / 2) {
            held = BUFFERED_AFTER_WAITS;
        }
    }

    /** The file system does not take direct I/O. */
    void refused() {
        refused = true;
    }

    /** A write failed. */
    void failed() {
        direct = false;
    }
}
