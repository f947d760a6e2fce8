/**
 * An OpenAI-compatible inference server without a model: it answers with made-up words at configured times, so that load generators can be
 * tried and tested without a GPU. Each request has a thread of the server's bounded pool for as long as it is answered. This package must not
 * know the daemon: it is what a daemon's producers measure.
 */
@NullMarked
package io.metricsaggregator.synthetic;

import org.jspecify.annotations.NullMarked;
