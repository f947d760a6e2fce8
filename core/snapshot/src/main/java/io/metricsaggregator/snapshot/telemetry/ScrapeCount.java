package io.metricsaggregator.snapshot.telemetry;

/** What the scrape fold counts: samples taken, and everything it discarded, by reason. */
public enum ScrapeCount {
    /** Samples taken into a series. */
    SAMPLES("samples"),
    /** Samples of a window that is closed, or more than a day from their scrape. */
    SAMPLES_LATE("samples_late"),
    /** Samples of a time that the series already has. */
    SAMPLES_REPEATED("samples_repeated"),
    /** Samples that are not {@code [name, labels, type, value, milliseconds?]}. */
    SAMPLES_INVALID("samples_invalid"),
    /** DCGM's values for "not available". */
    SAMPLES_BLANK("samples_blank"),
    /** Prometheus' staleness markers. */
    SAMPLES_STALE("samples_stale"),
    /** Samples for which there was no memory. */
    SAMPLES_OVER_LIMIT("samples_over_limit"),
    /** Lines that the scraper could not parse. */
    BAD_LINES("bad_lines"),
    /** Samples that the scraper left out. */
    SAMPLES_LEFT_OUT("samples_left_out"),
    /** How often the common time was found to be wrong and started again. */
    CLOCK_RESTARTS("clock_restarts"),
    /** Closed windows dropped for want of room. */
    WINDOWS_DROPPED("windows_dropped"),
    /** Windows without a sample that were not evaluated one by one. */
    WINDOWS_SKIPPED("windows_skipped"),
    /** Values of servers' gauges for whose course there was no memory. */
    SERVER_LEVELS_LEFT_OUT("server_levels_left_out");

    private final String wireName;

    ScrapeCount(String wireName) {
        this.wireName = wireName;
    }

    /** The name in a snapshot. */
    public String wireName() {
        return wireName;
    }
}
