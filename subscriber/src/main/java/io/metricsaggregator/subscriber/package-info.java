/**
 * The consumer's side: following the snapshots of a running daemon, and reading the file of one that has ended. A subscriber
 * belongs to the thread that asks it. It meets the daemon only on the wire and on disk, and must not depend on its code.
 */
@NullMarked
package io.metricsaggregator.subscriber;

import org.jspecify.annotations.NullMarked;
