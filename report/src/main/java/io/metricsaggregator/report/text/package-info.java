/**
 * Renders a report as a page of text or Markdown, and telemetry as lines that text, Markdown and HTML pages share. Rendering is a pure function
 * of a snapshot, on the caller's thread. It must not emit text of producers unescaped, and it must not know HTML or the file formats.
 */
@NullMarked
package io.metricsaggregator.report.text;

import org.jspecify.annotations.NullMarked;
