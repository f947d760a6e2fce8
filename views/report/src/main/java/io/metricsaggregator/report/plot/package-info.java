/**
 * The plots of a run as data ({@code Plot}), drawn as SVG; and sparklines for text. Drawing is a pure function of a snapshot, on the caller's
 * thread. It must not emit text of producers unescaped.
 */
@NullMarked
package io.metricsaggregator.report.plot;

import org.jspecify.annotations.NullMarked;
