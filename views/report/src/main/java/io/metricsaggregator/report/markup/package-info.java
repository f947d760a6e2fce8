/**
 * A writer of HTML and SVG elements that escapes by construction. An instance belongs to the thread that renders a page. It must not know what a page
 * shows.
 */
@NullMarked
package io.metricsaggregator.report.markup;

import org.jspecify.annotations.NullMarked;
