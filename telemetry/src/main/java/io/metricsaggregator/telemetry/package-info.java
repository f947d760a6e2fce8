/**
 * Kinds of observation beside the load generator's events, each a fold of its own: KV-cache transfers, nodes' resources, keyed operations, scraped
 * metrics, anybody's own. They belong to the thread of the fold. They know no clock and no file; what they know leaves as a tree of maps and lists.
 */
@NullMarked
package io.metricsaggregator.telemetry;

import org.jspecify.annotations.NullMarked;
