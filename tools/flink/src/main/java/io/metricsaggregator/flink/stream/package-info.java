/**
 * Folds runs whose frames arrive as a stream, each by the fold of the daemon, and takes snapshots of them while they last. Each operator belongs to the
 * thread of its Flink task, and a checkpoint holds all it needs to continue. It must not throw on any input, and it must not know where entries come
 * from.
 */
@NullMarked
package io.metricsaggregator.flink.stream;

import org.jspecify.annotations.NullMarked;
