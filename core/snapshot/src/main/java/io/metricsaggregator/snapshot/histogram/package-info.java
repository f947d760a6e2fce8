/** Adds up series of snapshots: histograms in HdrHistogram's encoding, without HdrHistogram, and the statistics beside them. */
@NullMarked
package io.metricsaggregator.snapshot.histogram;

import org.jspecify.annotations.NullMarked;
