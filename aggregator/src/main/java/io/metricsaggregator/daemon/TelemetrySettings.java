package io.metricsaggregator.daemon;

import io.metricsaggregator.telemetry.TelemetryOptions;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a journal says of how its run looked at other kinds of observation: only what is not as usual. */
final class TelemetrySettings {
    private static final String SELECTOR = "scrape_select ";

    private TelemetrySettings() {}

    static void put(Map<String, String> settings, TelemetryOptions options) {
        Map<String, String> usual = all(TelemetryOptions.DEFAULT);
        all(options).forEach((name, value) -> {
            if (!value.equals(usual.get(name))) {
                settings.put(name, value);
            }
        });
    }

    private static Map<String, String> all(TelemetryOptions options) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("expected_nodes", String.join(",", options.expectedNodes()));
        all.put("max_keys", Integer.toString(options.keysMax()));
        ScrapeOptions scrape = options.scrape();
        all.put("scrape_window_ms", Long.toString(scrape.windowMillis()));
        all.put("scrape_staleness_ms", Long.toString(scrape.stalenessMillis()));
        all.put("promql", Integer.toString(scrape.promql()));
        all.put("scrape_from_ms", scrape.fromMillis() == null ? "" : Long.toString(scrape.fromMillis()));
        all.put("scrape_to_ms", scrape.toMillis() == null ? "" : Long.toString(scrape.toMillis()));
        all.put("scrape_models", String.join(",", scrape.models()));
        scrape.selectors()
                .forEach((prefix, labels) ->
                        labels.forEach((name, value) -> all.put(SELECTOR + prefix + " " + name, value)));
        return all;
    }

    static TelemetryOptions of(Map<String, String> settings) {
        ScrapeOptions usual = ScrapeOptions.DEFAULT;
        Map<String, Map<String, String>> selectors = new TreeMap<>();
        settings.forEach((name, value) -> {
            String[] words = name.split(" ", -1);
            if (name.startsWith(SELECTOR) && words.length == 3) {
                selectors.computeIfAbsent(words[1], each -> new TreeMap<>()).put(words[2], value);
            }
        });
        try {
            return new TelemetryOptions(
                    list(settings.get("expected_nodes")),
                    JournalSettings.number(settings.get("max_keys"), TelemetryOptions.DEFAULT.keysMax()),
                    new ScrapeOptions(
                            JournalSettings.number(settings.get("scrape_window_ms"), (int) usual.windowMillis()),
                            JournalSettings.number(settings.get("scrape_staleness_ms"), (int) usual.stalenessMillis()),
                            JournalSettings.number(settings.get("promql"), usual.promql()),
                            time(settings.get("scrape_from_ms")),
                            time(settings.get("scrape_to_ms")),
                            selectors,
                            list(settings.get("scrape_models"))));
        } catch (IllegalArgumentException e) {
            // A journal of a version that means something else by it.
            return TelemetryOptions.DEFAULT;
        }
    }

    private static List<String> list(@Nullable String text) {
        return text == null || text.isEmpty() ? List.of() : List.of(text.split(","));
    }

    private static @Nullable Long time(@Nullable String text) {
        return text == null || text.isEmpty() ? null : (Long) Long.parseLong(text);
    }
}
