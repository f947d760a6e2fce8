package io.metricsaggregator.producer;

import java.util.Locale;

/** Metrics of a synthetic vLLM server beyond its load: tokens by source, speculative decoding and times of requests, as functions of time. */
final class SyntheticServer {
    private static final double REQUESTS_PER_SECOND = 40;
    private static final double TOKENS_PER_SECOND = 900;
    private static final double PROMPT_TOKENS_PER_SECOND = 5200;
    private static final double DRAFTS_PER_SECOND = 300;
    /** Shares of drafts whose token at a position is accepted. */
    private static final double[] ACCEPTED = {0.8, 0.6, 0.4, 0.2};

    private final StringBuilder out = new StringBuilder();
    private final String labels;
    private final double seconds;

    private SyntheticServer(String labels, double seconds) {
        this.labels = labels;
        this.seconds = seconds;
    }

    /**
     * Renders the metrics in Prometheus' text format 0.0.4.
     *
     * @param labels of every series, without braces
     * @param seconds since the server started
     */
    static String text(String labels, double seconds) {
        SyntheticServer server = new SyntheticServer(labels, seconds);
        server.tokens();
        server.speculation();
        server.times();
        return server.out.toString();
    }

    private void tokens() {
        counter("vllm:prompt_tokens_cached_total", "", 0.3 * PROMPT_TOKENS_PER_SECOND);
        type("vllm:prompt_tokens_by_source_total", "counter");
        sample(
                "vllm:prompt_tokens_by_source_total",
                ",source=\"local_compute\"",
                grown(0.7 * PROMPT_TOKENS_PER_SECOND));
        sample(
                "vllm:prompt_tokens_by_source_total",
                ",source=\"local_cache_hit\"",
                grown(0.3 * PROMPT_TOKENS_PER_SECOND));
        counter("vllm:prefix_cache_queries_total", "", 1.2 * PROMPT_TOKENS_PER_SECOND);
        counter("vllm:prefix_cache_hits_total", "", 0.4 * PROMPT_TOKENS_PER_SECOND);
        counter("vllm:request_success_total", ",finished_reason=\"stop\"", REQUESTS_PER_SECOND);
    }

    private void speculation() {
        counter("vllm:spec_decode_num_drafts_total", "", DRAFTS_PER_SECOND);
        counter("vllm:spec_decode_num_draft_tokens_total", "", ACCEPTED.length * DRAFTS_PER_SECOND);
        type("vllm:spec_decode_num_accepted_tokens_per_pos_total", "counter");
        double all = 0;
        for (int i = 0; i < ACCEPTED.length; i++) {
            all += ACCEPTED[i];
            sample(
                    "vllm:spec_decode_num_accepted_tokens_per_pos_total",
                    ",position=\"" + i + "\"",
                    grown(ACCEPTED[i] * DRAFTS_PER_SECOND));
        }
        counter("vllm:spec_decode_num_accepted_tokens_total", "", all * DRAFTS_PER_SECOND);
    }

    private void times() {
        histogram("vllm:request_queue_time_seconds", 0.01, REQUESTS_PER_SECOND);
        histogram("vllm:request_prefill_time_seconds", 0.15, REQUESTS_PER_SECOND);
        histogram("vllm:request_decode_time_seconds", 1.2, REQUESTS_PER_SECOND);
        histogram("vllm:time_to_first_token_seconds", 0.17, REQUESTS_PER_SECOND);
        histogram("vllm:inter_token_latency_seconds", 0.024, TOKENS_PER_SECOND);
        histogram("vllm:e2e_request_latency_seconds", 1.4, REQUESTS_PER_SECOND);
    }

    private double grown(double perSecond) {
        return Math.floor(perSecond * seconds);
    }

    private void counter(String name, String more, double perSecond) {
        type(name, "counter");
        sample(name, more, grown(perSecond));
    }

    /** A histogram of exponentially distributed values. */
    private void histogram(String name, double mean, double perSecond) {
        type(name, "histogram");
        double count = grown(perSecond);
        for (double edge : new double[] {0.25, 0.5, 1, 2, 4, 8}) {
            String le = String.format(Locale.ROOT, ",le=\"%.6f\"", edge * mean);
            sample(name + "_bucket", le, Math.floor(count * -Math.expm1(-edge)));
        }
        sample(name + "_bucket", ",le=\"+Inf\"", count);
        sample(name + "_sum", "", count * mean);
        sample(name + "_count", "", count);
    }

    private void type(String name, String type) {
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void sample(String name, String more, double value) {
        out.append(name)
                .append('{')
                .append(labels)
                .append(more)
                .append("} ")
                .append(String.format(Locale.ROOT, "%.3f", value))
                .append('\n');
    }
}
