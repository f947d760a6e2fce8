package io.metricsaggregator.telemetry.promql;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How scraped series are looked at.
 *
 * @param windowMillis windows, and the range of Prometheus' functions in the notebook's queries; windows end at multiples of it
 * @param stalenessMillis what is older is no predecessor
 * @param promql semantics of the notebook's queries: 2 or 3
 * @param fromMillis the end of the first window, since 1970; null for all there are
 * @param toMillis the end of the last
 * @param selectors labels that series must have, by what their names begin with
 * @param models only these count in rates of the whole, so that the members of an ensemble do not count twice; empty for all
 */
public record ScrapeOptions(
        long windowMillis,
        long stalenessMillis,
        int promql,
        @Nullable Long fromMillis,
        @Nullable Long toMillis,
        Map<String, Map<String, String>> selectors,
        List<String> models) {
    /** Windows of a minute. */
    public static final ScrapeOptions DEFAULT = new ScrapeOptions(60_000, 300_000, 3, null, null, Map.of(), List.of());

    public ScrapeOptions {
        selectors = Map.copyOf(selectors);
        models = List.copyOf(models);
        if (windowMillis < 1000 || stalenessMillis < 1000) {
            throw new IllegalArgumentException("a window of scraped series, or their staleness, is below 1 s");
        }
        if (promql != 2 && promql != 3) {
            throw new IllegalArgumentException("PromQL semantics " + promql + " are neither 2 nor 3");
        }
    }

    /** Whether a series is to be looked at. */
    public boolean selects(String name, Map<String, String> labels) {
        for (Map.Entry<String, Map<String, String>> each : selectors.entrySet()) {
            if (name.startsWith(each.getKey())
                    && !labels.entrySet().containsAll(each.getValue().entrySet())) {
                return false;
            }
        }
        return true;
    }

    /** Whether a model counts. */
    public boolean counts(String model) {
        return models.isEmpty() || models.contains(model);
    }
}
