package io.metricsaggregator.telemetry.scrape;

import java.util.Collection;

/**
 * The time that scrapes agree on, and which targets' clocks are too far from it. A target is right while it is within ten minutes; ahead of that, if so much time has passed: by
 * the receiver's clock since the newest scrape, or by the target's own monotonic clock since its scrape before, when it was right. Otherwise most of the targets that
 * answered of late decide. Times are milliseconds since 1970, or of the monotonic clock where records have no other.
 */
final class ScrapeClock {
    /** A clock that differs by more is wrong. */
    private static final long OFF_MILLIS = 600_000L;

    private static final long MILLI = 1_000_000L;

    private long watermark = Long.MIN_VALUE;
    private long scrapes;
    private boolean ticked;
    private long nowNanos;
    private long watermarkNanos;

    /** The newest scrape; {@link Long#MIN_VALUE} before there is one. */
    long watermark() {
        return watermark;
    }

    /** What the receiver's clock shows. */
    void tick(long now) {
        if (!ticked) {
            ticked = true;
            watermarkNanos = now;
        }
        nowNanos = now;
    }

    /** A scrape was taken. */
    void advance(long at) {
        if (at >= watermark) {
            watermark = at;
            watermarkNanos = nowNanos;
        }
    }

    /** What a scrape's time is taken for. */
    enum Judgement {
        RIGHT,
        WRONG,
        /** What was thought to be the time was wrong, and ahead: it begins anew. */
        RESTART
    }

    /**
     * Judges the time of a scrape.
     *
     * @param monotonicMillis the time of the same moment on the monotonic clock of the one that scraped
     */
    Judgement judge(ScrapeTarget target, long at, long monotonicMillis, Collection<ScrapeTarget> targets) {
        scrapes++;
        boolean ahead = watermark != Long.MIN_VALUE && at > watermark + passedMillis() + OFF_MILLIS;
        boolean behind = watermark != Long.MIN_VALUE && at < watermark - OFF_MILLIS;
        boolean off = behind || (ahead && !target.hasWaited(at, monotonicMillis, OFF_MILLIS));
        target.clock(scrapes, off);
        if (!off) {
            target.clockIsRight(at, monotonicMillis);
            return Judgement.RIGHT;
        }
        long lately = scrapes - 4L * targets.size();
        long active = targets.stream().filter(each -> each.isActive(lately)).count();
        long others = targets.stream()
                .filter(each -> each.isActive(lately) && each.isOff())
                .count();
        if (2 * others <= active) {
            target.clockIsWrong();
            return Judgement.WRONG;
        }
        targets.forEach(ScrapeTarget::clockIsUnknown);
        target.clockIsRight(at, monotonicMillis);
        if (at >= watermark) {
            return Judgement.RIGHT;
        }
        watermark = Long.MIN_VALUE;
        return Judgement.RESTART;
    }

    /** Time since the newest scrape came. */
    private long passedMillis() {
        return Math.max(0, (nowNanos - watermarkNanos) / MILLI);
    }
}
