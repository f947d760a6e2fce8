package io.metricsaggregator.sweep;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A figure of a point: a column of the sweep's table, an axis of its front, a name in its conditions. */
public enum PointFigure {
    /** Output tokens a second of all users. */
    SYSTEM_TPS("system_tps", "output tokens/s", "tokens/s", true),
    /** {@link #SYSTEM_TPS} divided by the number of GPUs. */
    TPS_PER_GPU("tps_per_gpu", "output tokens/s per GPU", "tokens/s per GPU", true),
    /** Input and output tokens a second of all users. */
    TOTAL_TPS("total_tps", "input and output tokens/s", "all tokens/s", true),
    /** {@link #TOTAL_TPS} divided by the number of GPUs. */
    TOTAL_TPS_PER_GPU("total_tps_per_gpu", "input and output tokens/s per GPU", "all tokens/s per GPU", true),
    /** Output tokens a second that one user sees: 10⁹ / p90 of {@code tpot_ns}. */
    TPS_PER_USER("tps_per_user", "output tokens/s per user (p90)", "tokens/s per user", true),
    /** 10⁹ / median of {@code tpot_ns}. */
    TPS_PER_USER_MEDIAN("tps_per_user_median", "output tokens/s per user (median)", "tokens/s per user, median", true),
    /** Output tokens of successes divided by the sum of their latencies, in tokens a second. */
    E2E_INTERACTIVITY(
            "e2e_interactivity", "end-to-end output tokens/s per user", "tokens/s per user, end to end", true),
    TTFT_P90_MS("ttft_p90_ms", "TTFT p90, ms", "TTFT p90, ms", false),
    TPOT_P90_MS("tpot_p90_ms", "TPOT p90, ms", "TPOT p90, ms", false),
    LATENCY_P50_MS("latency_p50_ms", "latency p50, ms", "latency p50, ms", false),
    LATENCY_P99_MS("latency_p99_ms", "latency p99, ms", "latency p99, ms", false),
    /** Requests a second: issued in the steady window, completed in the whole run. */
    QPS("qps", "requests/s", "requests/s", true),
    GOODPUT_PER_S("goodput_per_s", "good requests/s", "good/s", true),
    /** Good samples as a share of those judged, 0 to 1. */
    GOOD_SHARE("good_share", "share of good requests", "good", true),
    /** Failed samples as a share of those issued, 0 to 1; of the whole run on either basis. */
    ERROR_SHARE("error_share", "share of failed requests", "failed", false),
    /** 3600 divided by the mean latency of jobs of agents in seconds; of the whole run on either basis. */
    JOBS_PER_H_USER("jobs_per_h_user", "jobs/h per user", "jobs/h per user", true),
    /** Jobs of agents that ended in the steady window, an hour and GPU. */
    JOBS_PER_H_GPU("jobs_per_h_gpu", "jobs/h per GPU", "jobs/h per GPU", true),
    J_PER_OUTPUT_TOKEN("j_per_output_token", "J per output token", "J per token", false),
    USD_PER_MILLION_OUTPUT_TOKENS(
            "usd_per_million_output_tokens", "USD per million output tokens", "USD per 1M tokens", false);

    private final String key;
    private final String title;
    private final String column;
    private final boolean higherIsBetter;

    PointFigure(String key, String title, String column, boolean higherIsBetter) {
        this.key = key;
        this.title = title;
        this.column = column;
        this.higherIsBetter = higherIsBetter;
    }

    /** The name in files and conditions, such as {@code ttft_p90_ms}. */
    public String key() {
        return key;
    }

    /** Quantity and unit in words. */
    public String title() {
        return title;
    }

    /** The title of its column in a narrow table. */
    public String column() {
        return column;
    }

    /** Whether it is a share from 0 to 1. */
    public boolean isShare() {
        return this == GOOD_SHARE || this == ERROR_SHARE;
    }

    /** Whether more is better. */
    public boolean higherIsBetter() {
        return higherIsBetter;
    }

    /**
     * The figure of a name.
     *
     * @throws IllegalArgumentException if no figure has it; the message quotes it and names all
     */
    public static PointFigure of(String key) {
        return Arrays.stream(values())
                .filter(each -> each.key.equals(key))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("'" + key + "' is not a figure of a point. Write one of "
                                + Arrays.stream(values()).map(PointFigure::key).collect(Collectors.joining(", "))));
    }
}
