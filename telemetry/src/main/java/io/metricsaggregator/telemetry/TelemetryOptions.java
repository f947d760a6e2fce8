package io.metricsaggregator.telemetry;

import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import java.util.List;

/**
 * What is said beforehand of telemetry.
 *
 * @param expectedNodes that are to report their resources
 * @param keysMax keys of operations that have rows of their own
 * @param scrape how scraped series are looked at
 */
public record TelemetryOptions(List<String> expectedNodes, int keysMax, ScrapeOptions scrape) {
    /** Nothing. */
    public static final TelemetryOptions DEFAULT = new TelemetryOptions(List.of(), 10_000, ScrapeOptions.DEFAULT);

    public TelemetryOptions {
        expectedNodes = List.copyOf(expectedNodes);
        if (keysMax < 1) {
            throw new IllegalArgumentException("the limit of keys is below 1");
        }
    }
}
