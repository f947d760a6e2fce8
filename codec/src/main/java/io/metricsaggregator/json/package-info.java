/**
 * Streaming access to JSON of any size from untrusted bytes, with exact numbers. Belongs to the thread that reads. It must not know what
 * the fields mean.
 */
@NullMarked
package io.metricsaggregator.json;

import org.jspecify.annotations.NullMarked;
