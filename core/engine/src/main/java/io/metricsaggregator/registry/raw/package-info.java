/**
 * All values of a series, packed into slabs of memory or of a file, within a budget. Belongs to the thread that owns the registry.
 */
@NullMarked
package io.metricsaggregator.registry.raw;

import org.jspecify.annotations.NullMarked;
