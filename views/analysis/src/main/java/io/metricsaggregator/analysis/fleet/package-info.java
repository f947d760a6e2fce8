/**
 * What the live sum of many daemons says of its nodes, in words.
 */
@NullMarked
package io.metricsaggregator.analysis.fleet;

import org.jspecify.annotations.NullMarked;
