/**
 * Event records and their bytes: what producers send. {@link io.metricsaggregator.event.EventDecoder} reads the event path's
 * flyweight and belongs to the thread that receives; {@link io.metricsaggregator.event.EventRecord} and its codec are for
 * producers and tools, on any thread. It must not know what an event means for a metric.
 */
@NullMarked
package io.metricsaggregator.event;

import org.jspecify.annotations.NullMarked;
