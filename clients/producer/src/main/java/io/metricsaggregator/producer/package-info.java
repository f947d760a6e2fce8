/**
 * The producer's side: publishing event records in batches, replaying recorded frames, and a synthetic load. A publisher may be
 * called by any thread; its sockets belong to a thread of its own. It must not depend on the aggregator.
 */
@NullMarked
package io.metricsaggregator.producer;

import org.jspecify.annotations.NullMarked;
