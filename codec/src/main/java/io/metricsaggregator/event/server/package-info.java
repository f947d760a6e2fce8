/**
 * Where a request spent its time inside the server: the optional key {@code server} of a completion. Knows no other key of a record.
 */
@NullMarked
package io.metricsaggregator.event.server;

import org.jspecify.annotations.NullMarked;
