/**
 * Joins the journals of several nodes that each saw a part of the same run: their records are put on one clock, sorted by time and folded as one run. The
 * client reads what the journals say of their clocks; tasks of a BATCH job read, sort and fold, and keep no state for a checkpoint. It must not be used for
 * journals of different runs, which are merged.
 */
@NullMarked
package io.metricsaggregator.flink.joined;

import org.jspecify.annotations.NullMarked;
