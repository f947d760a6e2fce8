/**
 * The records that producers send, and their bytes. {@link io.metricsaggregator.event.EventDecoder} fills the flyweight of the event path
 * and belongs to the receiving thread; {@link io.metricsaggregator.event.EventRecord} and its codec are for
 * producers and tools, on any thread. The package must not depend on what an event means for a metric.
 */
@NullMarked
package io.metricsaggregator.event;

import org.jspecify.annotations.NullMarked;
