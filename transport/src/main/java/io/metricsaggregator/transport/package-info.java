/**
 * Ports for frames: where they come from ({@link io.metricsaggregator.transport.FrameSource}), where they go
 * ({@link io.metricsaggregator.transport.FrameSink}), and the one place that chooses an implementation
 * ({@link io.metricsaggregator.transport.Transports}). A transport belongs to the one thread that polls it. It must not know what
 * a frame contains.
 */
@NullMarked
package io.metricsaggregator.transport;

import org.jspecify.annotations.NullMarked;
