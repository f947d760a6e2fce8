/**
 * The metrics snapshot: what the daemon says, as one immutable record with two forms, positional msgpack on the wire and
 * field-named JSON on disk. Built by one thread, read by any. It must not know how a number came about.
 */
@NullMarked
package io.metricsaggregator.snapshot;

import org.jspecify.annotations.NullMarked;
