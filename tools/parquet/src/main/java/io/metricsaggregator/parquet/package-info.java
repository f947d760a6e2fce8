/**
 * Writes rows of samples as Apache Parquet, without a class of Hadoop at run time. Belongs to the thread of the calling command or task.
 * It must not compute statistics, nor be used by the daemon.
 */
@NullMarked
package io.metricsaggregator.parquet;

import org.jspecify.annotations.NullMarked;
