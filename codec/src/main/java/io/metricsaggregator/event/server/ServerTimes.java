package io.metricsaggregator.event.server;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where one request spent its time inside the server, as the server measured it: the optional key {@code server} of a completion. Immutable.
 *
 * <pre>{@code
 * EventRecord.sample(EventType.SAMPLE_COMPLETE, now, id)
 *         .withServer(ServerTimes.from(ServerTimes.Source.BODY).with(ServerKey.QUEUE_NS, 120_000_000));
 * }</pre>
 *
 * @param numbers a number of at least 0 for each key that was reported; an absent key is unknown, not 0
 * @param source where the producer found them; null if unknown
 * @param prefillNode the node that processed the prompt, at most {@value #NODE_MAX_BYTES} bytes of UTF-8; null if unknown
 * @param decodeNode the node that generated the answer, with the same bound; null if unknown
 */
public record ServerTimes(
        Map<ServerKey, Long> numbers,
        @Nullable Source source,
        @Nullable String prefillNode,
        @Nullable String decodeNode) {
    /** Longest name of a node, in bytes of UTF-8. */
    public static final int NODE_MAX_BYTES = 64;

    /** Where a producer found the numbers. */
    public enum Source {
        BODY("body"),
        HEADER("header"),
        SPAN("span");

        private static final Source[] ALL = values();

        private final String wireName;

        Source(String wireName) {
            this.wireName = wireName;
        }

        /** The value of the key {@code source}. */
        public String wireName() {
            return wireName;
        }

        static Source of(int ordinal) {
            return ALL[ordinal];
        }
    }

    public ServerTimes {
        EnumMap<ServerKey, Long> copy = new EnumMap<>(ServerKey.class);
        copy.putAll(numbers);
        copy.forEach((key, number) -> {
            if (number < 0) {
                throw new IllegalArgumentException(key.wireName() + " " + number + " is negative");
            }
        });
        numbers = Collections.unmodifiableMap(copy);
        requireBound("prefill_node", prefillNode);
        requireBound("decode_node", decodeNode);
    }

    private static void requireBound(String key, @Nullable String node) {
        if (node != null && node.getBytes(StandardCharsets.UTF_8).length > NODE_MAX_BYTES) {
            throw new IllegalArgumentException(key + " is longer than " + NODE_MAX_BYTES + " bytes");
        }
    }

    /** Times of that source, none yet. */
    public static ServerTimes from(@Nullable Source source) {
        return new ServerTimes(Map.of(), source, null, null);
    }

    /**
     * Returns a copy with a number.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ServerTimes with(ServerKey key, long number) {
        EnumMap<ServerKey, Long> more = new EnumMap<>(ServerKey.class);
        more.putAll(numbers);
        more.put(key, number);
        return new ServerTimes(more, source, prefillNode, decodeNode);
    }

    /**
     * Returns a copy with the nodes of a server whose prompts and answers are computed apart.
     *
     * @throws IllegalArgumentException if a name is longer than {@value #NODE_MAX_BYTES} bytes
     */
    public ServerTimes onNodes(@Nullable String prefill, @Nullable String decode) {
        return new ServerTimes(numbers, source, prefill, decode);
    }

    /** The number of a key; null if it was not reported. */
    public @Nullable Long number(ServerKey key) {
        return numbers.get(key);
    }
}
