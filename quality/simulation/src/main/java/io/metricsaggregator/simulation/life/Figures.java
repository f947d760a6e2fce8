package io.metricsaggregator.simulation.life;

/**
 * What a snapshot must show after some frames, by the model.
 *
 * @param records records received
 * @param issued tracked samples issued
 * @param completed tracked samples completed
 * @param latencies number of latencies
 * @param latencyTotal their sum in nanoseconds, and the smallest and largest
 * @param firstTokens number of times to first token
 * @param firstTokenTotal their sum in nanoseconds
 * @param ended whether the end of the session was received
 */
record Figures(
        long records,
        long issued,
        long completed,
        long latencies,
        long latencyTotal,
        long latencyMin,
        long latencyMax,
        long firstTokens,
        long firstTokenTotal,
        boolean ended) {
    static final Figures NONE = new Figures(0, 0, 0, 0, 0, Long.MAX_VALUE, 0, 0, 0, false);
}
