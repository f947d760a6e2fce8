/**
 * The submission tree of MLPerf Endpoints: its files from measured points, and the rules by which MLCommons' checker would refuse one. Field and rule
 * names are those of {@code endpoints-submission-cli} 1.5.3. Building is a pure function on the caller's thread; only {@code SubmissionFiles} and
 * {@code SubmissionCheck} read files. What was not measured is never invented: it stays {@code TODO}.
 */
@NullMarked
package io.metricsaggregator.report.submission;

import org.jspecify.annotations.NullMarked;
