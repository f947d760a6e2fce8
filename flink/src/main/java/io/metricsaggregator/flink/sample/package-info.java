/**
 * Folds a run keyed by sample: a head per run stamps the events of samples, any task applies them to rows in keyed state, and totals per run add up the
 * parts. Each operator belongs to the thread of its Flink task; rows, stamped events and parts are bytes with versions of their own. Nothing here may throw
 * on any input, and no state may hang on a secret of a process.
 */
@NullMarked
package io.metricsaggregator.flink.sample;

import org.jspecify.annotations.NullMarked;
