/**
 * Renders a report as one HTML file without scripts or external resources. Rendering is a pure function of a snapshot, on the caller's thread.
 * It must not emit text of producers unescaped.
 */
@NullMarked
package io.metricsaggregator.report.html;

import org.jspecify.annotations.NullMarked;
