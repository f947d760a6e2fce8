/**
 * Streaming access to the JSON that other tools write: whole documents, documents one after another, and lines, with exact numbers.
 * Belongs to the thread that reads. It must not know what the fields mean.
 */
@NullMarked
package io.metricsaggregator.imports.json;

import org.jspecify.annotations.NullMarked;
