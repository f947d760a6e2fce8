package io.metricsaggregator.flink.stream;

/**
 * A snapshot of a run as the file holds it.
 *
 * @param run identifies the run within the job, and names its folder in the output
 * @param terminal whether it is the last one of the run
 * @param json the snapshot as JSON in UTF-8; never written to
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RunSnapshot(String run, boolean terminal, byte[] json) {}
