package io.metricsaggregator.ingest;

/**
 * Detects that the daemon itself fell behind, because it was stopped, starved or busy: what it receives then tells nothing of the endpoints. Belongs
 * to the thread that receives.
 */
final class ReceiptWatch {
    /** How late the daemon may be before it counts as behind. */
    static final long LATE_NANOS = 1_000_000_000L;

    private final FrameApplier frames;
    private boolean watching;
    private long keptUpNanos;
    private long expectedNanos;

    ReceiptWatch(FrameApplier frames) {
        this.frames = frames;
    }

    /** Notes that the daemon keeps up at {@code nowNanos}, unless it comes late, and is expected again after {@code waitNanos}. */
    void expect(long nowNanos, long waitNanos) {
        check(nowNanos);
        expectedNanos = nowNanos + waitNanos;
    }

    /** Notes that the daemon is there at {@code nowNanos}; if that is late, the fold forgets the waits until now. */
    void check(long nowNanos) {
        if (watching && nowNanos - expectedNanos > LATE_NANOS) {
            frames.waits().blind(keptUpNanos, nowNanos);
        }
        watching = true;
        keptUpNanos = nowNanos;
        expectedNanos = Math.max(expectedNanos, nowNanos);
    }
}
