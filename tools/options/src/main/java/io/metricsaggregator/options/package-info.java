/**
 * Options of the command line that several programs take: those that recompute a run, and the tokenizer, durations and words for errors
 * that they need. Each object belongs to the thread that parses the command line. It prints nothing and decides no exit status: that is
 * the program's.
 */
@NullMarked
package io.metricsaggregator.options;

import org.jspecify.annotations.NullMarked;
