/**
 * The views of a sweep: text, Markdown, CSV, JSON and HTML of the same points. Every class is a pure function of a {@link
 * io.metricsaggregator.sweep.Sweep} and runs on the caller's thread. It must not read files and must not compute figures of its own.
 */
@NullMarked
package io.metricsaggregator.report.sweep;

import org.jspecify.annotations.NullMarked;
