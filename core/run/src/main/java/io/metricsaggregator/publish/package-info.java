/**
 * Snapshots on their way out: when to take one, rendering it on a thread of its own ({@code publish}), and the final file, written
 * atomically and durably on the {@code disk} thread. The thread that owns the state only copies. Nothing here may hold up
 * ingest, and nothing may call a file written before it is on disk.
 */
@NullMarked
package io.metricsaggregator.publish;

import org.jspecify.annotations.NullMarked;
