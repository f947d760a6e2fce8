package io.metricsaggregator.daemon;

import io.metricsaggregator.transport.FrameSource;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Warns when no publisher is connected: after {@value #FIRST_SECONDS} s without a connection, then every {@value #AGAIN_SECONDS} s.
 * Reports when a publisher connects. Belongs to the thread that polls the source.
 */
final class PublisherWatch {
    private static final long SECOND = 1_000_000_000L;
    private static final long CHECK_NANOS = SECOND / 4;
    static final int FIRST_SECONDS = 5;
    static final int AGAIN_SECONDS = 30;

    private final FrameSource source;
    private final Consumer<String> inform;
    private final Consumer<String> warn;
    private long nextCheckNanos;
    private long aloneSinceNanos;
    private long nextWarningNanos;
    private boolean alone = true;
    private boolean everConnected;

    /**
     * A watch on the publishers of a source.
     *
     * @param inform receives messages of level INFO
     * @param warn receives warnings
     */
    PublisherWatch(FrameSource source, long nowNanos, Consumer<String> inform, Consumer<String> warn) {
        this.source = source;
        this.inform = inform;
        this.warn = warn;
        this.nextCheckNanos = nowNanos;
        startAlone(nowNanos);
    }

    private void startAlone(long nowNanos) {
        alone = true;
        aloneSinceNanos = nowNanos;
        nextWarningNanos = nowNanos + FIRST_SECONDS * SECOND;
    }

    /** Checks the connections, at most four times a second however often it is called. */
    void check(long nowNanos) {
        if (nowNanos - nextCheckNanos < 0 || source.endpoints().isEmpty()) {
            return;
        }
        nextCheckNanos = nowNanos + CHECK_NANOS;
        int publishers = source.peers();
        if (publishers > 0) {
            if (alone) {
                inform.accept("publisher connected publishers=" + publishers);
            }
            alone = false;
            everConnected = true;
        } else if (!alone) {
            startAlone(nowNanos);
        } else if (nowNanos - nextWarningNanos >= 0) {
            nextWarningNanos = nowNanos + AGAIN_SECONDS * SECOND;
            warn.accept(String.format(
                    Locale.ROOT,
                    "no publisher connected%s for_s=%d inputs=%s: %s",
                    everConnected ? " any more" : "",
                    (nowNanos - aloneSinceNanos) / SECOND,
                    source.endpoints(),
                    everConnected
                            ? "the run stays open until session.ended arrives or SIGTERM ends it"
                            : "start the producer, or check that it publishes at this endpoint"));
        }
    }
}
