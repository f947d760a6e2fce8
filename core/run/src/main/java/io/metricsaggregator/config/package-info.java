/**
 * Configuration: {@link io.metricsaggregator.config.RunConfig} decides a run's numbers, {@link io.metricsaggregator.config.RunResources}
 * holds what this machine lends to the run, and {@link io.metricsaggregator.config.DaemonConfig} adds endpoints, files and the
 * process. All of it is immutable, so any thread may read it. It must not open a file or a socket, and it knows neither flags nor the
 * run.
 */
@NullMarked
package io.metricsaggregator.config;

import org.jspecify.annotations.NullMarked;
