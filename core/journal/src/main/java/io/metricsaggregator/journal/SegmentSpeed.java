package io.metricsaggregator.journal;

/**
 * Decides how the next segment is written: a stream above {@value #FAST_BYTES} bytes a second with direct I/O, a slower one through the page cache, where
 * small bursts cost the disk least. A disk that holds the receiving thread up is tried with the page cache for a segment; the faster way is then kept for
 * some segments. Times are those of the monotonic clock, in nanoseconds. Belongs to the receiving thread.
 */
final class SegmentSpeed {
    /** Bytes a second from which on a stream is fast. */
    static final long FAST_BYTES = 100_000_000;
    /** Bytes after which the speed of a segment in the page cache is judged, again and again: it may begin with a pause. */
    static final long JUDGED_BYTES = 32 << 20;
    /** Segments for which the outcome of a trial holds. */
    static final int KEPT = 16;

    /** Packing is worth its time if it leaves no more than this part of the bytes. */
    private static final double PACKED_SHARE = 0.85;

    private boolean direct;
    /** Whether the segment in the page cache was fast when it was judged last. */
    private boolean becameFast;

    private boolean refused;
    /** Segments that stay in the page cache whatever their speed. */
    private int held;
    /** Segments with direct I/O after which the page cache may be tried again. */
    private int trusted;
    /** Bytes a nanosecond of the segment with direct I/O that the page cache is compared with; 0 while there is no trial. */
    private double tried;

    /** Segments that are not packed. */
    private int unpacked;

    private boolean slowToPack;

    private long judgedBytes;
    private long judgedNanos;
    private long judgedWaitedNanos;

    /** Whether the next segment is to be written with direct I/O. */
    boolean isDirect() {
        return direct && !refused && held == 0;
    }

    /** A segment is opened. */
    void opened(long nowNanos) {
        becameFast = false;
        judgedBytes = 0;
        judgedNanos = nowNanos;
        judgedWaitedNanos = 0;
    }

    /** Whether a segment has bytes enough to be judged: one in the page cache, or one that {@code journal-writer} packs. */
    boolean isJudged(long bytes) {
        return !refused && held == 0 && bytes - judgedBytes >= JUDGED_BYTES;
    }

    /** Whether a segment in the page cache is to be ended early, because its stream has been fast since it was judged last. */
    boolean isWorthDirect(long bytes, long nowNanos) {
        becameFast = isFast(bytes - judgedBytes, nowNanos - judgedNanos);
        judgedBytes = bytes;
        judgedNanos = nowNanos;
        return becameFast;
    }

    /** Whether a segment of a fast stream is to be ended early, because packing has held the stream up since it was judged last. */
    boolean isTooSlowToPack(long bytes, long nowNanos, long waitedNanos) {
        slowToPack = isHeldUp(waitedNanos - judgedWaitedNanos, nowNanos - judgedNanos);
        judgedBytes = bytes;
        judgedNanos = nowNanos;
        judgedWaitedNanos = waitedNanos;
        return slowToPack;
    }

    private static boolean isHeldUp(long waitedNanos, long nanos) {
        return waitedNanos > nanos / 10;
    }

    private static boolean isFast(long bytes, long nanos) {
        return bytes > FAST_BYTES / 1e9 * nanos;
    }

    /** A segment in the page cache has ended, which took some time from its opening on. */
    void buffered(long bytes, long nanos) {
        direct = becameFast || isFast(bytes, nanos);
        if (tried > 0) {
            boolean faster = bytes > tried * nanos;
            tried = 0;
            held = faster ? KEPT : 0;
            trusted = faster ? 0 : KEPT;
        } else {
            held = Math.max(0, held - 1);
        }
    }

    /**
     * A segment of a fast stream has ended, for which the receiving thread waited some of the time.
     *
     * @param packed whether {@code journal-writer} packed it, which costs several times the writing: a wait then says nothing of the disk
     */
    void direct(long bytes, long nanos, long waitedNanos, boolean packed) {
        direct = isFast(bytes, nanos);
        if (packed) {
            slowToPack |= isHeldUp(waitedNanos, nanos);
        } else if (trusted > 0) {
            trusted--;
        } else if (waitedNanos > nanos / 2) {
            tried = (double) bytes / nanos;
            held = 1;
        }
    }

    /** The file system does not take direct I/O. */
    void refused() {
        refused = true;
    }

    /** Whether the next segment is to be packed. */
    boolean isPacked() {
        return unpacked == 0;
    }

    /** A segment has ended, packed or not: if packing saved little, or held the stream up, the next ones are not packed. */
    void ended(long rawBytes, long bytes) {
        unpacked = Math.max(0, unpacked - 1);
        boolean saved = bytes <= PACKED_SHARE * rawBytes;
        if (bytes != rawBytes && (slowToPack || (rawBytes >= JUDGED_BYTES / 16 && !saved))) {
            unpacked = KEPT;
        }
        slowToPack = false;
    }

    /** A write failed. */
    void failed() {
        direct = false;
        tried = 0;
    }
}
