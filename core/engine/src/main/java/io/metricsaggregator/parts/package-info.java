/**
 * The state of a run, or of a part of its samples, as a value that is written, read and added up: what replay in parallel, the merge of runs and a distributed
 * engine share. A part belongs to the thread that made or read it; nothing in it changes after that. It must not know the fold that it came from, any file,
 * clock or socket, and must not take memory for a count that it has not checked.
 */
@NullMarked
package io.metricsaggregator.parts;

import org.jspecify.annotations.NullMarked;
