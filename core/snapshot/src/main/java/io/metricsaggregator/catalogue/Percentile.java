package io.metricsaggregator.catalogue;

/**
 * The percentiles that reports, the screen and other tools' formats show. A snapshot may have more: its grid is a map by {@link #key()}, and
 * {@code --percentiles} adds to it.
 */
public enum Percentile {
    P50(50),
    P90(90),
    P95(95),
    P99(99),
    P99_9(99.9);

    private final double percent;
    private final String key;

    Percentile(double percent) {
        this.percent = percent;
        this.key = key(percent);
    }

    /** The percentile as a number between 0 and 100. */
    public double percent() {
        return percent;
    }

    /** The key in a snapshot, such as {@code "99.0"}. */
    public String key() {
        return key;
    }

    /** The label in tables, such as {@code "p99"}. */
    public String label() {
        return label(key);
    }

    /** The key of any percentile in a snapshot: {@code 99} has {@code "99.0"}. */
    public static String key(double percent) {
        return Double.toString(percent);
    }

    /** The label of any key of a snapshot: {@code "99.0"} has {@code "p99"}, {@code "99.9"} has {@code "p99.9"}. */
    public static String label(String key) {
        return "p" + (key.endsWith(".0") ? key.substring(0, key.length() - 2) : key);
    }
}
