package io.metricsaggregator.export;

import java.util.List;

/**
 * The metrics of one export.
 *
 * @param metrics distinct by name and labels
 * @param conflicts number of label sets that collided
 * @param leftOut number of values left out
 */
record ExportModel(List<Exported> metrics, int conflicts, int leftOut) {}
