/**
 * The live screen: what the snapshots of a run show, drawn on a terminal. {@link io.metricsaggregator.tui.Screen} makes lines of
 * snapshots and knows no terminal; the loop that owns one belongs to the thread that calls it. Nothing here reaches the daemon.
 */
@NullMarked
package io.metricsaggregator.tui;

import org.jspecify.annotations.NullMarked;
