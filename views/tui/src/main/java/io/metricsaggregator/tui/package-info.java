/**
 * The live screen of a run. {@link io.metricsaggregator.tui.Screen} renders snapshots to lines without a terminal; the terminal loop
 * belongs to the thread that calls it. It must not influence the daemon.
 */
@NullMarked
package io.metricsaggregator.tui;

import org.jspecify.annotations.NullMarked;
