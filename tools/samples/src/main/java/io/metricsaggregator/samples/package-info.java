/**
 * Exports a journal to files for other tools: its records, and a row for each sample. Belongs to the thread of the calling command. It
 * must not compute statistics.
 */
@NullMarked
package io.metricsaggregator.samples;

import org.jspecify.annotations.NullMarked;
