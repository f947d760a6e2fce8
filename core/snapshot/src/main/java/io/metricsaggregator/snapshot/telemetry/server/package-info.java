/**
 * What scraped endpoints of inference servers tell of a server. Immutable.
 */
@NullMarked
package io.metricsaggregator.snapshot.telemetry.server;

import org.jspecify.annotations.NullMarked;
