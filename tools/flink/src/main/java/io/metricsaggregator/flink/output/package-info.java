/**
 * Results of a job in any file system that Flink writes: final snapshots of runs. Files are written by the thread of the task that
 * computed them and become visible whole. Nothing here computes a figure.
 */
@NullMarked
package io.metricsaggregator.flink.output;

import org.jspecify.annotations.NullMarked;
