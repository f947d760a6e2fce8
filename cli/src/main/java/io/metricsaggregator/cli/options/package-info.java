/** Options that several commands take, each group with what it builds from them; the configuration file and the environment. */
@NullMarked
package io.metricsaggregator.cli.options;

import org.jspecify.annotations.NullMarked;
