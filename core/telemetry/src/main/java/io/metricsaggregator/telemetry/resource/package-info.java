/**
 * Folds resource samples of nodes ({@code resource.sample}, {@code perf.report}): time-weighted CPU and memory, increments of disk and network
 * counters. The fold belongs to the thread that applies events. It reads nothing from the operating system: {@code collect} samples, this
 * package aggregates.
 */
@NullMarked
package io.metricsaggregator.telemetry.resource;

import org.jspecify.annotations.NullMarked;
