package io.metricsaggregator.imports;

/**
 * A figure of a tool that can be recomputed from its requests.
 *
 * @param name name of the figure in the file, such as {@code p99_ttft_ms}
 * @param expected its value in the file
 * @param series the values it is computed from: {@code ttft_ns}, {@code sample_latency_ns}, {@code chunk_delta_ns},
 *     {@code usage_tpot_ns}, {@code usage_prompt_tokens}, {@code usage_completion_tokens} or {@code schedule_slip_ns} of the tracked
 *     requests that succeeded, or a series of {@link ImportSink#value}
 * @param statistic what is computed from them
 * @param unit number of units of the series in one unit of the figure, such as 1e6 for milliseconds of a series in nanoseconds
 * @param tolerance largest relative difference
 */
public record ToolCheck(
        String name, double expected, String series, Statistic statistic, double unit, double tolerance) {
    /** Largest relative difference between figures that are computed from the same values. */
    public static final double EXACT = 1e-6;

    /** A statistic of a list of values. */
    public sealed interface Statistic {
        /** A statistic without a parameter. */
        enum Simple implements Statistic {
            /** Number of values. */
            COUNT,
            /** Sum of all values. */
            SUM,
            /** Arithmetic mean. */
            MEAN,
            /** Smallest value. */
            MIN,
            /** Largest value. */
            MAX,
            /** Standard deviation of the population, numpy's default. */
            STD,
            /** Standard deviation of a sample (n − 1), pandas' default. */
            SAMPLE_STD
        }

        /** A percentile by linear interpolation at p/100·(n − 1), numpy's default; {@code percent} from 0 to 100. */
        record Linear(double percent) implements Statistic {}

        /** A percentile as the first value whose cumulative share reaches {@code percent} / 100. */
        record FirstReached(double percent) implements Statistic {}
    }
}
