/**
 * What a frame is before its events are decoded: its topic, the records of a batch, a record of telemetry.
 */
@NullMarked
package io.metricsaggregator.event.frame;

import org.jspecify.annotations.NullMarked;
