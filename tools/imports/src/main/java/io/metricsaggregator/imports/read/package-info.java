/**
 * What the formats of several tools read alike: JSON, YAML and CSV documents, decimal numbers, dates, requests' bodies, counts of a
 * summary. Belongs to the thread of the calling command.
 */
@NullMarked
package io.metricsaggregator.imports.read;

import org.jspecify.annotations.NullMarked;
