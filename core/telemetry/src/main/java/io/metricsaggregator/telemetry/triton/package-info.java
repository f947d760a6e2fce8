/**
 * Views of Triton Inference Server and DCGM series: figures of one window per model and GPU, and the queries of the Triton benchmark notebook.
 * Instances belong to the scrape fold's thread. The package must not keep samples of its own: it reads {@code promql} series.
 */
@NullMarked
package io.metricsaggregator.telemetry.triton;

import org.jspecify.annotations.NullMarked;
