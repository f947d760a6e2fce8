/**
 * The metrics snapshot: one immutable record with two forms, positional msgpack on the wire and field-named JSON on disk. One thread
 * builds a snapshot; any thread may read it. It must not depend on the fold or the registry that computed its values.
 */
@NullMarked
package io.metricsaggregator.snapshot;

import org.jspecify.annotations.NullMarked;
