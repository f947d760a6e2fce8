/**
 * From frames to applied events: the envelope, decoding, and the accounts of what could not be read. Runs on the thread that
 * receives and belongs to it. It must not let any byte do more than be counted, nor keep a reference to a receive buffer beyond
 * its burst.
 */
@NullMarked
package io.metricsaggregator.ingest;

import org.jspecify.annotations.NullMarked;
