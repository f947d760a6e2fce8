/**
 * What nobody sends and the daemon gets by itself: the host's resources from /proc, metrics from exporters. Each source has a thread of its own, turns
 * what it finds into records as a producer would send them, and hands them over through one queue: they are journaled and folded like any other.
 */
@NullMarked
package io.metricsaggregator.collect;

import org.jspecify.annotations.NullMarked;
