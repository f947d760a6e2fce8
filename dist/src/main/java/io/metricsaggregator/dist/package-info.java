/**
 * Generates the files of a distribution that follow from the commands: man page sources and shell completion. It runs in the build, on
 * the thread of the build, and reads only the command model. It must not be shipped, and no shipped module may depend on it.
 */
@NullMarked
package io.metricsaggregator.dist;

import org.jspecify.annotations.NullMarked;
