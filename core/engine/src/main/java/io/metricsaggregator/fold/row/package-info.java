/**
 * The samples in flight and the stamps of their events: a table with a row a sample, columns beside it, outages, windows, and the
 * sums that depend on when samples were issued. Nothing here knows a metric. Belongs to the one thread that applies events. It must know no clock, socket, file or thread.
 */
@NullMarked
package io.metricsaggregator.fold.row;

import org.jspecify.annotations.NullMarked;
