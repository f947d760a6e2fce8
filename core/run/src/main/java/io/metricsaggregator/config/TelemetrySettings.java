package io.metricsaggregator.config;

import io.metricsaggregator.telemetry.TelemetryOptions;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The part of {@link RunConfigCodec} for {@link TelemetryOptions}: only settings that differ from their defaults are written. */
final class TelemetrySettings {
    /** A bound whose default follows from the heap. */
    static final String MAX_KEYS = "max_keys";

    private static final String EXPECTED_NODES = "expected_nodes";
    private static final String WINDOW = "scrape_window_ms";
    private static final String STALENESS = "scrape_staleness_ms";
    private static final String PROMQL = "promql";
    private static final String FROM = "scrape_from_ms";
    private static final String TO = "scrape_to_ms";
    private static final String MODELS = "scrape_models";
    private static final String SELECTOR = "scrape_select ";

    private TelemetrySettings() {}

    static void encode(TelemetryOptions options, Map<String, String> into) {
        Map<String, String> defaults = all(TelemetryOptions.DEFAULT);
        all(options).forEach((name, value) -> {
            if (!value.equals(defaults.get(name))) {
                into.put(name, value);
            }
        });
    }

    private static Map<String, String> all(TelemetryOptions options) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(EXPECTED_NODES, String.join(",", options.expectedNodes()));
        all.put(MAX_KEYS, Integer.toString(options.keysMax()));
        ScrapeOptions scrape = options.scrape();
        all.put(WINDOW, Long.toString(scrape.windowMillis()));
        all.put(STALENESS, Long.toString(scrape.stalenessMillis()));
        all.put(PROMQL, Integer.toString(scrape.promql()));
        all.put(FROM, scrape.fromMillis() == null ? "" : Long.toString(scrape.fromMillis()));
        all.put(TO, scrape.toMillis() == null ? "" : Long.toString(scrape.toMillis()));
        all.put(MODELS, String.join(",", scrape.models()));
        scrape.selectors()
                .forEach((prefix, labels) ->
                        labels.forEach((name, value) -> all.put(SELECTOR + prefix + " " + name, value)));
        return all;
    }

    /** Decodes the options; all of them are the defaults if one is out of range, as in a journal of a version that means another thing. */
    static TelemetryOptions decode(Map<String, String> settings) {
        ScrapeOptions scrape = ScrapeOptions.DEFAULT;
        try {
            return new TelemetryOptions(
                    list(settings.get(EXPECTED_NODES)),
                    RunConfigCodec.number(settings.get(MAX_KEYS), TelemetryOptions.DEFAULT.keysMax()),
                    new ScrapeOptions(
                            RunConfigCodec.number(settings.get(WINDOW), (int) scrape.windowMillis()),
                            RunConfigCodec.number(settings.get(STALENESS), (int) scrape.stalenessMillis()),
                            RunConfigCodec.number(settings.get(PROMQL), scrape.promql()),
                            time(settings.get(FROM)),
                            time(settings.get(TO)),
                            selectors(settings),
                            list(settings.get(MODELS))));
        } catch (IllegalArgumentException e) {
            return TelemetryOptions.DEFAULT;
        }
    }

    private static Map<String, Map<String, String>> selectors(Map<String, String> settings) {
        Map<String, Map<String, String>> selectors = new TreeMap<>();
        settings.forEach((name, value) -> {
            String[] words = name.split(" ", -1);
            if (name.startsWith(SELECTOR) && words.length == 3) {
                selectors.computeIfAbsent(words[1], each -> new TreeMap<>()).put(words[2], value);
            }
        });
        return selectors;
    }

    private static List<String> list(@Nullable String text) {
        return text == null || text.isEmpty() ? List.of() : List.of(text.split(","));
    }

    private static @Nullable Long time(@Nullable String text) {
        return text == null || text.isEmpty() ? null : (Long) Long.parseLong(text);
    }
}
