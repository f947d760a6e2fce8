/**
 * Takes the requests of an import, orders their events by time and writes them as the journal of a finished run. Belongs to the thread
 * of the calling command. It must not know formats or compute series.
 */
@NullMarked
package io.metricsaggregator.imports.journal;

import org.jspecify.annotations.NullMarked;
