/**
 * Folds KV-cache transfers ({@code transfer.*}): durations, bytes, throughput by several definitions, busy time, failures. The fold belongs to
 * the thread that applies events. It must not compare {@code timestamp_ns} of different hosts: each host's monotonic clock starts anywhere.
 */
@NullMarked
package io.metricsaggregator.telemetry.transfer;

import org.jspecify.annotations.NullMarked;
