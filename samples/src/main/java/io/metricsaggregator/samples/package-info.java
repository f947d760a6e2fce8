/**
 * What a journal holds, for tools that people have: its records, and a row for each sample. Belongs to the thread of the command
 * that asks for it. Computes no statistics.
 */
@NullMarked
package io.metricsaggregator.samples;

import org.jspecify.annotations.NullMarked;
