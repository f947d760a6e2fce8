package io.metricsaggregator.flink.run;

/**
 * A run whose result is written.
 *
 * @param folder the folder of its journal
 * @param id its id, which is the name of its results' folder
 * @param state its terminal state
 */
public record FoldedRun(String folder, String id, String state) {}
