/**
 * Joins what several nodes saw of the same run: their records are put on one clock, sorted by time and folded as one run. Of journals the client reads what
 * they say of their clocks, and tasks of a BATCH job read, sort and fold without state for a checkpoint; messages of nodes wait in keyed state until the
 * watermark has passed their time, on the thread of their task. It must not be used for journals of different runs, which are merged.
 */
@NullMarked
package io.metricsaggregator.flink.joined;

import org.jspecify.annotations.NullMarked;
