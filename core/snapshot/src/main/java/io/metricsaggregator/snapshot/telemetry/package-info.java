/**
 * Telemetry in a snapshot: one immutable record per kind, and the codec that maps it to and from the tree of maps and lists under {@code observations}. The fold's thread builds the
 * records; any thread may read them. The package must not know how a figure was computed or how it is shown.
 */
@NullMarked
package io.metricsaggregator.snapshot.telemetry;

import org.jspecify.annotations.NullMarked;
