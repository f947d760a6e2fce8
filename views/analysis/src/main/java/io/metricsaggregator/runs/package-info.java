/**
 * Several runs: merged into one, or compared. Sees nothing but their last snapshots, and computes on the caller's thread. Decides
 * nothing about how a single run is measured.
 */
@NullMarked
package io.metricsaggregator.runs;

import org.jspecify.annotations.NullMarked;
