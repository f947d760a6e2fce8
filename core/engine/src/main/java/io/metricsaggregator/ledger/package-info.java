/**
 * The accounts of everything received: every record, of whatever kind, is counted once on receipt, for its worker, and once for what
 * became of it. Belongs to the thread of the main flow, which ingests and folds. It must not interpret a record beyond its source and
 * its number, and must not know any fold, clock or socket.
 */
@NullMarked
package io.metricsaggregator.ledger;

import org.jspecify.annotations.NullMarked;
