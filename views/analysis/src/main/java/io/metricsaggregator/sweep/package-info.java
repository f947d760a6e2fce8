/**
 * A sweep: runs at several concurrencies as points of a curve, with its Pareto front, knee, saturation and the checks of the rules. Every class is a
 * pure function of final snapshots and runs on the caller's thread. It must not read files, and it must not know any renderer.
 */
@NullMarked
package io.metricsaggregator.sweep;

import org.jspecify.annotations.NullMarked;
