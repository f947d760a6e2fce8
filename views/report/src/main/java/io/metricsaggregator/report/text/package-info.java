/**
 * Renders a report as a page of text or Markdown, and sections as lines of fixed width for the page of text and for the screen. Rendering is a pure function
 * of a snapshot, on the caller's thread. It must not emit text of producers unescaped, and it must not know HTML or the file formats.
 */
@NullMarked
package io.metricsaggregator.report.text;

import org.jspecify.annotations.NullMarked;
