package io.metricsaggregator.flink.joined;

import io.metricsaggregator.run.FrameCounts;
import org.jspecify.annotations.Nullable;

/**
 * What a whole journal says, which the fold has to know before the first record.
 *
 * @param node number of the journal
 * @param frames counts of its frames
 * @param ended place of its last {@code session.ended} in the joined run, without the bytes; null if it has none
 */
record NodeFacts(int node, FrameCounts frames, @Nullable NodeRecord ended) {}
