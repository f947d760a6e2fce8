/**
 * Computes from a snapshot what a report states: headline figures ({@link io.metricsaggregator.analysis.Report}), notes,
 * outages, stalls, trends, and the unit and meaning of each series. Every class is a pure
 * function of a snapshot and runs on the caller's thread. It must not read files or sockets, and it must not know any renderer.
 */
@NullMarked
package io.metricsaggregator.analysis;

import org.jspecify.annotations.NullMarked;
