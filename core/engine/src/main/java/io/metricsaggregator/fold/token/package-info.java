/**
 * Lengths in tokens and what is divided by them: texts to count, chunks, usage that servers report, prompts. Belongs to the one thread that applies events. It must know no clock, socket, file or thread.
 */
@NullMarked
package io.metricsaggregator.fold.token;

import org.jspecify.annotations.NullMarked;
