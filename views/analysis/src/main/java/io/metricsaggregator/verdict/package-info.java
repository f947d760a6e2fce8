/**
 * Judges a run: {@link io.metricsaggregator.verdict.Verdict} over the list of {@link io.metricsaggregator.verdict.Checks}, each of which is one class with
 * the data it reads, its thresholds and its sentences. A new check is added to that list and nowhere else; docs/metrics.md has its row from there. Every
 * class is a pure function of a snapshot and runs on the caller's thread.
 */
@NullMarked
package io.metricsaggregator.verdict;

import org.jspecify.annotations.NullMarked;
