/**
 * The model of an import: sources, formats, and the requests that a format hands to a sink. Belongs to the thread of the calling
 * command. It must not know any single format.
 */
@NullMarked
package io.metricsaggregator.imports;

import org.jspecify.annotations.NullMarked;
