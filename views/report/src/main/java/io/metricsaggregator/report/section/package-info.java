/**
 * The parts of a report below its headline figures, as titled lines and tables that text, Markdown and HTML each render in their own way.
 * Built as a pure function of a snapshot, on the caller's thread. It must not know any output format, and all text of producers is printable.
 */
@NullMarked
package io.metricsaggregator.report.section;

import org.jspecify.annotations.NullMarked;
