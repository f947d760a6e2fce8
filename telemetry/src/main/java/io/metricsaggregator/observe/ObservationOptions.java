package io.metricsaggregator.observe;

import java.util.List;

/**
 * What is said beforehand of observations.
 *
 * @param expectedNodes that are to report their resources
 * @param keysMax keys of operations that have rows of their own
 * @param scrape how scraped series are looked at
 */
public record ObservationOptions(List<String> expectedNodes, int keysMax, ScrapeOptions scrape) {
    /** Nothing. */
    public static final ObservationOptions DEFAULT = new ObservationOptions(List.of(), 10_000, ScrapeOptions.DEFAULT);

    public ObservationOptions {
        expectedNodes = List.copyOf(expectedNodes);
        if (keysMax < 1) {
            throw new IllegalArgumentException("the limit of keys is below 1");
        }
    }
}
