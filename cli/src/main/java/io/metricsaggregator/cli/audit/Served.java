package io.metricsaggregator.cli.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the synthetic server did for one request.
 *
 * @param arrivedNanos its arrival, on the clock of {@link System#nanoTime}
 * @param latencyNanos time from then to the end of the answer
 * @param tokens tokens that were sent
 * @param messages messages of the request
 * @param end {@code stop}, {@code length}, {@code error}, {@code abort} or {@code gone}
 * @param chunks what was sent, in order
 */
record Served(long arrivedNanos, long latencyNanos, long tokens, long messages, String end, List<Chunk> chunks) {
    /**
     * A chunk of the answer.
     *
     * @param nanos time since the arrival
     * @param tokens tokens in it
     * @param isReasoning whether it is of the reasoning
     */
    record Chunk(long nanos, long tokens, boolean isReasoning) {}

    Served {
        chunks = List.copyOf(chunks);
    }

    /** Reads a line of the server's log. */
    static Served of(Map<String, ?> line) {
        List<Chunk> chunks = new ArrayList<>();
        for (Object each : (List<?>) Objects.requireNonNull(line.get("chunks"))) {
            List<?> chunk = (List<?>) each;
            chunks.add(new Chunk((Long) chunk.get(0), (Long) chunk.get(1), "reasoning".equals(chunk.get(2))));
        }
        return new Served(
                number(line, "arrived_ns"),
                number(line, "latency_ns"),
                number(line, "tokens"),
                number(line, "messages"),
                String.valueOf(line.get("end")),
                chunks);
    }

    private static long number(Map<String, ?> line, String key) {
        return ((Number) Objects.requireNonNull(line.get(key), key)).longValue();
    }

    /** Whether the whole answer was sent. */
    boolean isComplete() {
        return end.equals("stop") || end.equals("length");
    }

    /** Whether the server failed it. */
    boolean isFailed() {
        return end.equals("error") || end.equals("abort");
    }

    long endNanos() {
        return arrivedNanos + latencyNanos;
    }

    /** The chunks that hold tokens. */
    List<Chunk> withTokens() {
        return chunks.stream().filter(each -> each.tokens() > 0).toList();
    }
}
