package io.metricsaggregator.benchmarks;

/**
 * What a stream has besides plain samples.
 *
 * @param workers number of workers whose ids the records carry in turn; 0 for records without
 * @param labels labels of each sample, with 16 values each; 0 for none
 * @param series metrics of a producer's own, by name, each recorded once every repetition of the stream; 0 for none
 * @param kinds number of kinds of telemetry, of {@link TelemetryRecords#kinds}, with 200 records each every repetition; 0 for none
 */
record Traits(int workers, int labels, int series, int kinds) {
    /** Plain samples. */
    static final Traits NONE = new Traits(0, 0, 0, 0);

    static Traits parse(String text) {
        String[] parts = text.split(",", -1);
        return new Traits(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                Integer.parseInt(parts[2]),
                Integer.parseInt(parts[3]));
    }

    /** The form that {@link #parse} reads. */
    String text() {
        return workers + "," + labels + "," + series + "," + kinds;
    }
}
