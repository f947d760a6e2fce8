/**
 * Entry to the reports: {@link io.metricsaggregator.report.ReportFormat} chooses the renderer of a format, and
 * {@link io.metricsaggregator.report.ComparisonView} renders comparisons of runs. Rendering is a pure function of a snapshot, on the caller's
 * thread. It must not compute figures of its own: those come from {@code analysis} and {@code runs}.
 */
@NullMarked
package io.metricsaggregator.report;

import org.jspecify.annotations.NullMarked;
