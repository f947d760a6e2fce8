package io.metricsaggregator.event;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The place of a sample in the job of an agent, as keys of its issue. Immutable.
 *
 * <pre>{@code
 * EventRecord.sample(EventType.SAMPLE_ISSUED, now, "b").withJob(new JobKeys("job-1", List.of("a"), "planner", true));
 * }</pre>
 *
 * @param id the job; empty for the one named by the sample's conversation
 * @param parents ids of the samples and tools that had to end before this issue, at most {@value DecodedJob#PARENTS_MAX}
 * @param agent the agent that issued it, at most {@value DecodedJob#AGENT_MAX_BYTES} bytes of UTF-8; null if unknown
 * @param last whether the job ends with this sample
 */
public record JobKeys(
        String id, List<String> parents, @Nullable String agent, boolean last) {

    public JobKeys {
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
