/**
 * Reads snapshots of many daemons fast: sections whose bytes did not change stay the objects that they were. For one thread.
 */
@NullMarked
package io.metricsaggregator.snapshot.live;

import org.jspecify.annotations.NullMarked;
