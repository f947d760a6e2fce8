/** Commands that test programs of others, or stand in for them. */
@NullMarked
package io.metricsaggregator.cli.testing;

import org.jspecify.annotations.NullMarked;
