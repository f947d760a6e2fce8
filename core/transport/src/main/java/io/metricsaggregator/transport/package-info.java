/**
 * Ports for frames: sources ({@link io.metricsaggregator.transport.FrameSource}), sinks
 * ({@link io.metricsaggregator.transport.FrameSink}) and the choice of their implementation
 * ({@link io.metricsaggregator.transport.Transports}). A transport belongs to the thread that polls it. It must not depend on the
 * content of a frame.
 */
@NullMarked
package io.metricsaggregator.transport;

import org.jspecify.annotations.NullMarked;
