/**
 * Energy of GPUs and processors from scraped counters and gauges and from hosts' RAPL counters, over any window of a run. Instances belong to the thread
 * that applies events. The package computes joules and seconds only: ratios and costs are figures of a snapshot's readers.
 */
@NullMarked
package io.metricsaggregator.telemetry.energy;

import org.jspecify.annotations.NullMarked;
