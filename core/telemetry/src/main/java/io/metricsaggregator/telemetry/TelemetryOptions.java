package io.metricsaggregator.telemetry;

import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import java.util.List;

/**
 * Settings of telemetry that are fixed before the run.
 *
 * @param expectedNodes nodes whose missing reports are shown
 * @param keysMax maximum number of operation keys with rows of their own; at least 1
 * @param scrape windows and staleness of scraped series
 */
public record TelemetryOptions(List<String> expectedNodes, int keysMax, ScrapeOptions scrape) {
    /** No expected node, 10,000 keys. */
    public static final TelemetryOptions DEFAULT = new TelemetryOptions(List.of(), 10_000, ScrapeOptions.DEFAULT);

    public TelemetryOptions {
        expectedNodes = List.copyOf(expectedNodes);
        if (keysMax < 1) {
            throw new IllegalArgumentException("--max-keys " + keysMax + " is below 1");
        }
    }
}
