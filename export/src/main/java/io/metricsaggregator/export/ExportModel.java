package io.metricsaggregator.export;

import java.util.List;

/**
 * What one export holds.
 *
 * @param metrics distinct by name and labels
 * @param conflicts label sets that collided
 * @param leftOut values that are not in it
 */
record ExportModel(List<Exported> metrics, int conflicts, int leftOut) {}
