package io.metricsaggregator.synthetic;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the server has done, under the names that vLLM gives its metrics. The share of the KV cache is that of {@value #CACHE_TOKENS} tokens
 * which the running requests take with prompt and answer. Any thread.
 */
final class ServerStatistics {
    private static final int CACHE_TOKENS = 262_144;
    private static final double[] FIRST_TOKEN_BOUNDS = {
        0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560
    };
    private static final double[] TOKEN_BOUNDS = {
        0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80
    };
    private static final double[] REQUEST_BOUNDS = {
        0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680
    };

    /** How a request ended, as vLLM labels it. */
    enum End {
        STOP,
        LENGTH,
        ABORT,
        ERROR
    }

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong tokensHeld = new AtomicLong();
    private final LongAdder promptTokens = new LongAdder();
    private final LongAdder outputTokens = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final Map<End, LongAdder> ends = new EnumMap<>(End.class);
    private final Histogram firstToken = new Histogram(FIRST_TOKEN_BOUNDS);
    private final Histogram betweenTokens = new Histogram(TOKEN_BOUNDS);
    private final Histogram waits = new Histogram(REQUEST_BOUNDS);
    private final Histogram requests = new Histogram(REQUEST_BOUNDS);

    ServerStatistics() {
        for (End each : End.values()) {
            ends.put(each, new LongAdder());
        }
    }

    /** The server began to answer a request that had waited for so long. */
    void begun(CompletionRequest request, long waitedNanos) {
        waits.record(waitedNanos);
        running.incrementAndGet();
        tokensHeld.addAndGet(request.promptTokens());
    }

    /** The first chunk was sent, so the prompt has been read. */
    void firstChunk(CompletionRequest request, long nanosSinceArrival, int tokens) {
        promptTokens.add(request.promptTokens());
        firstToken.record(nanosSinceArrival);
        outputTokens.add(tokens);
        tokensHeld.addAndGet(tokens);
    }

    /** A later chunk of so many tokens was sent. */
    void chunk(long nanosSinceLast, int tokens) {
        for (int i = 0; i < tokens; i++) {
            betweenTokens.record(nanosSinceLast / tokens);
        }
        outputTokens.add(tokens);
        tokensHeld.addAndGet(tokens);
    }

    /** A request ended for which {@code tokens} were sent. */
    void ended(CompletionRequest request, int tokens, long nanosSinceArrival, End end) {
        running.decrementAndGet();
        tokensHeld.addAndGet(-(long) request.promptTokens() - tokens);
        count(end).increment();
        if (end == End.STOP || end == End.LENGTH) {
            requests.record(nanosSinceArrival);
        }
    }

    /** A request was answered with a status of 400 to 499. */
    void rejected() {
        rejected.increment();
    }

    private LongAdder count(End end) {
        LongAdder count = ends.get(end);
        if (count == null) {
            throw new IllegalStateException("no counter for " + end);
        }
        return count;
    }

    /** Requests that are being answered. */
    int running() {
        return running.get();
    }

    /** Number of requests that ended with {@code end}. */
    long requests(End end) {
        return count(end).sum();
    }

    /** Number of requests whose answer was complete. */
    long answered() {
        return requests(End.STOP) + requests(End.LENGTH);
    }

    /** Number of requests that the server could not read. */
    long rejectedRequests() {
        return rejected.sum();
    }

    /**
     * The metrics in Prometheus' text format 0.0.4.
     *
     * @param waiting number of requests that wait to be answered
     */
    String exposition(String model, int waiting) {
        String labels = "engine=\"0\",model_name=\"" + escape(model) + "\"";
        StringBuilder out = new StringBuilder(8192);
        add(out, "vllm:num_requests_running", "gauge", labels, running.get());
        add(out, "vllm:num_requests_waiting", "gauge", labels, waiting);
        double share = Math.min(1, (double) tokensHeld.get() / CACHE_TOKENS);
        add(out, "vllm:kv_cache_usage_perc", "gauge", labels, share);
        add(out, "vllm:num_preemptions_total", "counter", labels, 0);
        add(out, "vllm:prompt_tokens_total", "counter", labels, promptTokens.sum());
        add(out, "vllm:generation_tokens_total", "counter", labels, outputTokens.sum());
        out.append("# TYPE vllm:request_success_total counter\n");
        for (End each : End.values()) {
            String reason = ",finished_reason=\"" + each.name().toLowerCase(Locale.ROOT) + '"';
            sample(out, "vllm:request_success_total", labels + reason, requests(each));
        }
        firstToken.append(out, "vllm:time_to_first_token_seconds", labels);
        betweenTokens.append(out, "vllm:inter_token_latency_seconds", labels);
        waits.append(out, "vllm:request_queue_time_seconds", labels);
        requests.append(out, "vllm:e2e_request_latency_seconds", labels);
        return out.toString();
    }

    private static void add(StringBuilder out, String name, String type, String labels, Number value) {
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        sample(out, name, labels, value);
    }

    private static void sample(StringBuilder out, String name, String labels, Number value) {
        out.append(name).append('{').append(labels).append("} ").append(value).append('\n');
    }

    private static String escape(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
