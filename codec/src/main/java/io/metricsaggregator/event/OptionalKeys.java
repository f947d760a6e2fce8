package io.metricsaggregator.event;

import io.metricsaggregator.event.server.ServerTimes;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keys of a sample's record that peers of other projects skip, grouped so that a record without them is short to make. Immutable.
 *
 * @param usage tokens as the server reports them; only on {@link EventType#SAMPLE_COMPLETE}; null if it does not
 * @param part the part of the answer that a chunk belongs to; only on receives; null if unknown
 * @param labels labels of the sample, such as its endpoint; only on {@link EventType#SAMPLE_ISSUED}; empty for none, at most
 *     {@value DecodedLabels#PAIRS_MAX}
 * @param tokens the number of tokens in a chunk, 0 to {@link DecodedEvent#CHUNK_TOKENS_MAX}; only on receives; null if unknown
 * @param lastTurn whether the sample is the last turn of its conversation; only on {@link EventType#SAMPLE_ISSUED}
 * @param traceparent the header of that name (W3C Trace Context) that the request carried; only on {@link EventType#SAMPLE_ISSUED}; null for none
 * @param responseId the server's id of the answer; only on {@link EventType#SAMPLE_COMPLETE}; null if unknown
 * @param server times in the server; only on {@link EventType#SAMPLE_COMPLETE}; null if unknown
 * @param job the place in the job of an agent; only on {@link EventType#SAMPLE_ISSUED}; null for none
 */
public record OptionalKeys(
        @Nullable Usage usage,
        @Nullable ChunkPart part,
        @Nullable Integer tokens,
        Map<String, String> labels,
        boolean lastTurn,
        @Nullable String traceparent,
        @Nullable String responseId,
        @Nullable ServerTimes server,
        @Nullable Job job) {
    /** No optional key. */
    public static final OptionalKeys NONE = new OptionalKeys(null, null, null, Map.of(), false, null, null, null, null);

    public OptionalKeys {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        requireBounds(labels);
        if (tokens != null && (tokens < 0 || tokens > DecodedEvent.CHUNK_TOKENS_MAX)) {
            throw new IllegalArgumentException(
                    "tokens " + tokens + " of a chunk are not 0 to " + DecodedEvent.CHUNK_TOKENS_MAX);
        }
    }

    private static void requireBounds(Map<String, String> labels) {
        if (labels.size() > DecodedLabels.PAIRS_MAX) {
            throw new IllegalArgumentException(labels.size() + " labels are more than " + DecodedLabels.PAIRS_MAX);
        }
        labels.forEach((key, value) -> {
            int keyBytes = key.getBytes(StandardCharsets.UTF_8).length;
            if (keyBytes == 0 || keyBytes > DecodedLabels.KEY_MAX_BYTES) {
                throw new IllegalArgumentException(
                        "label key '" + key + "' is not 1 to " + DecodedLabels.KEY_MAX_BYTES + " bytes long");
            }
            if (value.getBytes(StandardCharsets.UTF_8).length > DecodedLabels.VALUE_MAX_BYTES) {
                throw new IllegalArgumentException(
                        "the value of label " + key + " is longer than " + DecodedLabels.VALUE_MAX_BYTES + " bytes");
            }
        });
    }

    /** Returns a copy with {@code usage}. */
    OptionalKeys withUsage(Usage reported) {
        return new OptionalKeys(reported, part, tokens, labels, lastTurn, traceparent, responseId, server, job);
    }

    /** Returns a copy with {@code part}. */
    OptionalKeys withPart(ChunkPart of) {
        return new OptionalKeys(usage, of, tokens, labels, lastTurn, traceparent, responseId, server, job);
    }

    /** Returns a copy with {@code tokens}. */
    OptionalKeys withTokens(int count) {
        return new OptionalKeys(usage, part, count, labels, lastTurn, traceparent, responseId, server, job);
    }

    /** Returns a copy with {@code labels}. */
    OptionalKeys withLabels(Map<String, String> of) {
        return new OptionalKeys(usage, part, tokens, of, lastTurn, traceparent, responseId, server, job);
    }

    /** Returns a copy with {@code last_turn} true. */
    OptionalKeys withLastTurn() {
        return new OptionalKeys(usage, part, tokens, labels, true, traceparent, responseId, server, job);
    }

    /** Returns a copy with {@code traceparent}. */
    OptionalKeys withTraceparent(String header) {
        return new OptionalKeys(usage, part, tokens, labels, lastTurn, header, responseId, server, job);
    }

    /** Returns a copy with {@code response_id}. */
    OptionalKeys withResponseId(String id) {
        return new OptionalKeys(usage, part, tokens, labels, lastTurn, traceparent, id, server, job);
    }

    /** Returns a copy with {@code server}. */
    OptionalKeys withServer(ServerTimes times) {
        return new OptionalKeys(usage, part, tokens, labels, lastTurn, traceparent, responseId, times, job);
    }

    /** Returns a copy with the keys of a job. */
    OptionalKeys withJob(Job keys) {
        return new OptionalKeys(usage, part, tokens, labels, lastTurn, traceparent, responseId, server, keys);
    }

    /** Whether there are no keys but those of a chunk, {@code part} and {@code tokens}. */
    public boolean isOfChunk() {
        return count() == (part == null ? 0 : 1) + (tokens == null ? 0 : 1);
    }

    /** Number of keys that are present. */
    int count() {
        return (usage == null ? 0 : 1)
                + (part == null ? 0 : 1)
                + (tokens == null ? 0 : 1)
                + (labels.isEmpty() ? 0 : 1)
                + (lastTurn ? 1 : 0)
                + (traceparent == null ? 0 : 1)
                + (responseId == null ? 0 : 1)
                + (server == null ? 0 : 1)
                + (job == null ? 0 : job.count());
    }

    /**
     * The place of a sample in the job of an agent, as keys of its issue. Immutable.
     *
     * @param id the job; empty for the one named by the sample's conversation
     * @param parents ids of the samples and tools that had to end before this issue, at most {@value DecodedJob#PARENTS_MAX}
     * @param agent the agent that issued it, at most {@value DecodedJob#AGENT_MAX_BYTES} bytes of UTF-8; null if unknown
     * @param last whether the job ends with this sample
     */
    public record Job(
            String id, List<String> parents, @Nullable String agent, boolean last) {

        public Job {
            parents = List.copyOf(parents);
            if (parents.size() > DecodedJob.PARENTS_MAX) {
                throw new IllegalArgumentException(parents.size() + " parents are more than " + DecodedJob.PARENTS_MAX);
            }
            if (agent != null && agent.getBytes(StandardCharsets.UTF_8).length > DecodedJob.AGENT_MAX_BYTES) {
                throw new IllegalArgumentException(
                        "agent " + agent + " is longer than " + DecodedJob.AGENT_MAX_BYTES + " bytes");
            }
        }

        /** Number of keys that are present. */
        int count() {
            return (id.isEmpty() ? 0 : 1) + (parents.isEmpty() ? 0 : 1) + (agent == null ? 0 : 1) + (last ? 1 : 0);
        }
    }
}
