/**
 * The consumer's side: receives the snapshots of a running daemon and reads the final snapshot file. A subscriber belongs to the
 * thread that calls it. It meets the daemon only on the wire and on disk, and must not depend on its code.
 */
@NullMarked
package io.metricsaggregator.subscriber;

import org.jspecify.annotations.NullMarked;
