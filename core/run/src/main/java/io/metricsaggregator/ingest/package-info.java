/**
 * Turns frames into applied events: envelope, decoding, accounts of what could not be decoded, and the hand-over to the folds. Belongs to
 * the thread that receives. It must not let any input do more than be counted, nor keep a reference to a receive buffer beyond its
 * burst.
 */
@NullMarked
package io.metricsaggregator.ingest;

import org.jspecify.annotations.NullMarked;
