package io.metricsaggregator.cli.audit;

import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** A way to read a duration or a number of tokens off what the server did. Durations are in nanoseconds. */
enum Reading {
    LATENCY("the time to the end of the answer") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            values.accept((double) request.latencyNanos());
        }
    },
    FIRST_TOKEN("the time to the first chunk with a token") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            request.withTokens().stream().limit(1).forEach(each -> values.accept((double) each.nanos()));
        }
    },
    FIRST_EVENT("the time to the first event of the stream, which holds no token") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            request.chunks().stream().limit(1).forEach(each -> values.accept((double) each.nanos()));
        }
    },
    FIRST_ANSWER("the time to the first token behind the reasoning") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            request.withTokens().stream()
                    .filter(each -> !each.isReasoning())
                    .limit(1)
                    .forEach(each -> values.accept((double) each.nanos()));
        }
    },
    BETWEEN_CHUNKS("the time between chunks with tokens") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            gaps(request.withTokens(), false, values);
        }
    },
    BETWEEN_EVENTS("the time between events, with or without a token") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            gaps(request.chunks(), false, values);
        }
    },
    BETWEEN_TOKENS("the time between chunks, divided by their tokens") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            gaps(request.withTokens(), true, values);
        }
    },
    PER_TOKEN_BY_USAGE("the time per token of the usage") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            perToken(request, request.tokens() * usageFactor, values);
        }
    },
    PER_TOKEN("the time per token that was sent") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            perToken(request, (double) request.tokens(), values);
        }
    },
    PER_CHUNK("the time per chunk that was sent") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            perToken(request, request.withTokens().size(), values);
        }
    },
    TOKENS_BY_USAGE("the tokens of the usage") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            values.accept(request.tokens() * usageFactor);
        }
    },
    TOKENS("the tokens that were sent") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            values.accept((double) request.tokens());
        }
    },
    CHUNKS("the chunks that were sent") {
        @Override
        void read(Served request, double usageFactor, DoubleConsumer values) {
            values.accept(request.withTokens().size());
        }
    };

    /** A series by which a tool's figures are computed, as importers name it: what it reads, and its unit in nanoseconds or tokens. */
    record Series(Reading own, Reading ours, double unit) {}

    private static final Map<String, Series> SERIES = Map.ofEntries(
            Map.entry("sample_latency_ns", new Series(LATENCY, LATENCY, 1)),
            Map.entry("request_latency", new Series(LATENCY, LATENCY, 1e9)),
            Map.entry("e2e_latency", new Series(LATENCY, LATENCY, 1e9)),
            Map.entry("ttft_ns", new Series(FIRST_TOKEN, FIRST_TOKEN, 1)),
            Map.entry("time_to_first_token", new Series(FIRST_TOKEN, FIRST_TOKEN, 1e9)),
            Map.entry("time_to_first_token_ms", new Series(FIRST_TOKEN, FIRST_TOKEN, 1e6)),
            Map.entry("ttft", new Series(FIRST_TOKEN, FIRST_TOKEN, 1e9)),
            Map.entry("ttfts", new Series(FIRST_TOKEN, FIRST_TOKEN, 1e9)),
            Map.entry("ttfo_ns", new Series(FIRST_ANSWER, FIRST_ANSWER, 1)),
            Map.entry("chunk_delta_ns", new Series(BETWEEN_CHUNKS, BETWEEN_CHUNKS, 1)),
            Map.entry("itls", new Series(BETWEEN_TOKENS, BETWEEN_CHUNKS, 1e9)),
            Map.entry("usage_tpot_ns", new Series(PER_TOKEN_BY_USAGE, PER_TOKEN, 1)),
            Map.entry("inter_token_latency_ms", new Series(PER_TOKEN_BY_USAGE, PER_TOKEN, 1e6)),
            Map.entry("usage_completion_tokens", new Series(TOKENS_BY_USAGE, TOKENS, 1)));

    private final String text;

    Reading(String text) {
        this.text = text;
    }

    /**
     * Hands over the values of a request; none if it has none.
     *
     * @param usageFactor what the usage claims for each token that was sent
     */
    abstract void read(Served request, double usageFactor, DoubleConsumer values);

    /** What it reads, in words. */
    String text() {
        return text;
    }

    /** Whether it counts tokens or chunks. */
    boolean isCount() {
        return compareTo(TOKENS_BY_USAGE) >= 0;
    }

    /** Whether it depends on how tokens are counted. */
    boolean needsTokens() {
        return this == PER_TOKEN_BY_USAGE || this == TOKENS_BY_USAGE;
    }

    /**
     * Whether a late server explains a difference: a tool sees an answer after the server has sent it, so that its durations since the request are
     * longer; those between chunks may also be shorter.
     *
     * @param nanos by which the tool's is longer
     */
    boolean isExcused(double nanos, double lateNanos) {
        return Math.abs(nanos) <= lateNanos && (nanos > 0 || compareTo(BETWEEN_CHUNKS) >= 0);
    }

    /** The series of a name; null if the server has no truth of it. */
    static @Nullable Series of(String name) {
        return SERIES.get(name);
    }

    /** Other readings of the same kind, by which a wrong figure may be explained. */
    List<Reading> others() {
        return switch (this) {
            case LATENCY -> List.of(FIRST_EVENT, FIRST_TOKEN);
            case FIRST_TOKEN -> List.of(FIRST_EVENT, FIRST_ANSWER, LATENCY);
            case FIRST_ANSWER -> List.of(FIRST_EVENT, FIRST_TOKEN, LATENCY);
            case BETWEEN_CHUNKS, BETWEEN_TOKENS -> List.of(BETWEEN_CHUNKS, BETWEEN_EVENTS, BETWEEN_TOKENS);
            case PER_TOKEN_BY_USAGE, PER_TOKEN -> List.of(PER_TOKEN, PER_CHUNK);
            case TOKENS_BY_USAGE, TOKENS -> List.of(TOKENS, CHUNKS);
            default -> List.of();
        };
    }

    private static void gaps(List<Served.Chunk> chunks, boolean byToken, DoubleConsumer values) {
        for (int i = 1; i < chunks.size(); i++) {
            long gap = chunks.get(i).nanos() - chunks.get(i - 1).nanos();
            long parts = byToken ? chunks.get(i).tokens() : 1;
            for (long part = 0; part < parts; part++) {
                values.accept((double) gap / parts);
            }
        }
    }

    private static void perToken(Served request, double tokens, DoubleConsumer values) {
        List<Served.Chunk> chunks = request.withTokens();
        if (tokens > 1 && !chunks.isEmpty()) {
            values.accept((request.latencyNanos() - chunks.get(0).nanos()) / (tokens - 1));
        }
    }
}
