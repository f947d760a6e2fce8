/**
 * Samples of scraped series and the range functions of PromQL over them, with the semantics of Prometheus 2 or 3. Instances belong to the
 * scrape fold's thread. The package must not become a query language: it has only the functions that the windows and the notebook need.
 */
@NullMarked
package io.metricsaggregator.telemetry.promql;

import org.jspecify.annotations.NullMarked;
