package io.metricsaggregator.telemetry.promql;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of windows and queries over scraped series.
 *
 * @param windowMillis width of a window in ms, at least 1000, and the range of the notebook's queries; windows end at multiples of it
 * @param stalenessMillis age in ms, at least 1000, beyond which a sample is too old to compute an increase from
 * @param promql version of Prometheus whose semantics the notebook's queries have: 2 or 3
 * @param fromMillis end of the first window, ms since 1970; null for no bound
 * @param toMillis end of the last window, ms since 1970; null for no bound
 * @param selectors values of labels that series must have, by the beginning of the series' names
 * @param models models that count in overall rates, so that members of an ensemble do not count twice; empty for all
 */
public record ScrapeOptions(
        long windowMillis,
        long stalenessMillis,
        int promql,
        @Nullable Long fromMillis,
        @Nullable Long toMillis,
        Map<String, Map<String, String>> selectors,
        List<String> models) {
    /** The defaults: windows of one minute, all series, all models. */
    public static final ScrapeOptions DEFAULT = new ScrapeOptions(60_000, 300_000, 3, null, null, Map.of(), List.of());

    public ScrapeOptions {
        selectors = Map.copyOf(selectors);
        models = List.copyOf(models);
        if (windowMillis < 1000 || stalenessMillis < 1000) {
            throw new IllegalArgumentException(
                    (windowMillis < 1000 ? "--scrape-window" : "--scrape-staleness") + " is below 1 s");
        }
        if (promql != 2 && promql != 3) {
            throw new IllegalArgumentException("--promql " + promql + " is neither 2 nor 3");
        }
    }

    /** Whether a series has the labels of every selector for its name. */
    public boolean selects(String name, Map<String, String> labels) {
        for (Map.Entry<String, Map<String, String>> each : selectors.entrySet()) {
            if (name.startsWith(each.getKey())
                    && !labels.entrySet().containsAll(each.getValue().entrySet())) {
                return false;
            }
        }
        return true;
    }

    /** Whether a model counts in overall rates. */
    public boolean counts(String model) {
        return models.isEmpty() || models.contains(model);
    }
}
