/**
 * The machine-readable formats of a report, one class each: JSON and CSV of this project, histogram logs, and the result files of MLCommons
 * endpoints, vLLM and AIPerf. Rendering is a pure function of a snapshot, on the caller's thread; only
 * {@code BenchmarkFolder} reads files. A dialect must not state a figure by another definition than that of its tool.
 */
@NullMarked
package io.metricsaggregator.report.dialect;

import org.jspecify.annotations.NullMarked;
