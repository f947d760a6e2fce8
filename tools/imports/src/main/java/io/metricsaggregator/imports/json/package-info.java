/**
 * The JSON that other tools write as records: lines, documents one after another, fields by name, decimals.
 * Belongs to the thread that reads. It must not know what the fields mean.
 */
@NullMarked
package io.metricsaggregator.imports.json;

import org.jspecify.annotations.NullMarked;
