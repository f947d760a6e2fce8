package io.metricsaggregator.telemetry.scrape;

import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A target of scrapes: whether it answers, and what with. */
final class ScrapeTarget {
    final String job;
    final String instance;
    final InterpolatedStatistics durationMillis;

    private long scrapes;
    private long failures;
    private long failuresInARow;
    private long samples;
    private long lastMillis = Long.MIN_VALUE;
    private long answeredMillis = Long.MIN_VALUE;
    private String error = "";
    private long lastScrape;
    private boolean off;
    private boolean right;
    private long rightMillis;
    private long rightMonotonicMillis;

    ScrapeTarget(String job, String instance, Allowance allowance) {
        this.durationMillis = new InterpolatedStatistics(4096, allowance);
        this.job = job;
        this.instance = instance;
    }

    /** Its clock, at the number of a scrape. */
    void clock(long scrape, boolean isOff) {
        lastScrape = scrape;
        off = isOff;
    }

    /**
     * Its clock is right.
     *
     * @param monotonic the same moment on the clock of whoever scraped, which no one sets
     */
    void clockIsRight(long at, long monotonic) {
        off = false;
        right = true;
        rightMillis = at;
        rightMonotonicMillis = monotonic;
    }

    /** Its clock is wrong. */
    void clockIsWrong() {
        right = false;
    }

    /** Its next scrape will show whether its clock is right: the time itself was found to be another. */
    void clockIsUnknown() {
        off = false;
        right = false;
    }

    /** Whether its clock was right at the scrape before, and has gone on since as the monotonic clock did. */
    boolean hasWaited(long at, long monotonic, long toleranceMillis) {
        return right && Math.abs((at - rightMillis) - (monotonic - rightMonotonicMillis)) <= toleranceMillis;
    }

    /** Whether its clock was off when it last answered. */
    boolean isOff() {
        return off;
    }

    /** Whether it has answered since the scrape of that number. */
    boolean isActive(long scrape) {
        return lastScrape > 0 && lastScrape >= scrape;
    }

    /** When it last answered before now; null if it never has. */
    @Nullable
    Long answeredMillis() {
        return answeredMillis == Long.MIN_VALUE ? null : answeredMillis;
    }

    void answered(long atMillis, long count, @Nullable Double tookMillis) {
        scrapes++;
        failuresInARow = 0;
        samples += count;
        lastMillis = Math.max(lastMillis, atMillis);
        answeredMillis = Math.max(answeredMillis, atMillis);
        if (tookMillis != null) {
            durationMillis.add(tookMillis);
        }
    }

    void failed(long atMillis, String why) {
        scrapes++;
        failures++;
        failuresInARow++;
        lastMillis = Math.max(lastMillis, atMillis);
        error = why;
    }

    Map<String, @Nullable Object> freeze() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("job", job);
        tree.put("instance", instance);
        tree.put("reachable", answeredMillis != Long.MIN_VALUE && failuresInARow == 0);
        tree.put("ever_reached", answeredMillis != Long.MIN_VALUE);
        tree.put("n_scrapes", scrapes);
        tree.put("n_failed", failures);
        tree.put("n_failed_in_a_row", failuresInARow);
        tree.put("n_samples", samples);
        tree.put("last_error", error.isEmpty() ? null : error);
        tree.put("last_scrape_ms", lastMillis == Long.MIN_VALUE ? null : lastMillis);
        tree.put("scrape_duration", durationMillis.statistics("_ms", 50, 99));
        return tree;
    }
}
