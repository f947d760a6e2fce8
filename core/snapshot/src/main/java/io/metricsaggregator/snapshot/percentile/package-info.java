/**
 * Percentiles: the one rule of the figures that people see, the ranks of MLCommons endpoints, and how many values make a percentile certain. Nothing
 * here depends on a snapshot, so folds, sums of histograms and views share it.
 */
@NullMarked
package io.metricsaggregator.snapshot.percentile;

import org.jspecify.annotations.NullMarked;
