/**
 * Reports of a snapshot: what was measured, worked out once ({@link io.metricsaggregator.report.Report}), and one renderer a
 * format ({@link io.metricsaggregator.report.ReportFormat} chooses). Pure functions of a snapshot, on any thread. It must not read
 * files or sockets.
 */
@NullMarked
package io.metricsaggregator.report;

import org.jspecify.annotations.NullMarked;
