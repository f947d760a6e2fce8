/**
 * Conversations: their turns, their active time, the share of prompts that caches answered, tokens per second of a user. Belongs to the one thread that applies events. It must know no clock, socket, file or thread.
 */
@NullMarked
package io.metricsaggregator.fold.conversation;

import org.jspecify.annotations.NullMarked;
