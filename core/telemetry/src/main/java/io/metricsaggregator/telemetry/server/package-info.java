/**
 * Figures of inference servers by role, from scraped series whose names are known: requests, KV cache, tokens, speculative decoding, times. Instances
 * belong to the scrape fold's thread. The package must not keep samples: counters and histograms are read from the series that the scrape fold keeps.
 */
@NullMarked
package io.metricsaggregator.telemetry.server;

import org.jspecify.annotations.NullMarked;
