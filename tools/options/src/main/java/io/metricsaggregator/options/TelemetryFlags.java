package io.metricsaggregator.options;

import io.metricsaggregator.telemetry.TelemetryOptions;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Settings of the telemetry folds, for a run or its recomputation. */
@OptionGroup.In(OptionGroup.COLLECTION)
public final class TelemetryFlags {
    private static final Pattern SELECTOR = Pattern.compile("([^{}]*)\\{([^{}]+)}");
    private static final long SECONDS_MAX = 100_000_000_000L;

    @Option(
            names = "--expect-node",
            paramLabel = "NODE",
            description = "Node that must report resource samples; the report names it if it does not. Repeatable.")
    private List<String> expectedNodes = List.of();

    @Option(
            names = "--max-keys",
            paramLabel = "N",
            description =
                    "Maximum number of operation keys with rows of their own; the least recently used ones share the row"
                            + " `other`. Default: 10000, or fewer with a small heap.")
    private @Nullable Integer keysMax;

    @Option(
            names = "--scrape-window",
            paramLabel = "TIME",
            description =
                    "Length of the windows of scraped series, at least 1s; four times the scrape interval is a good choice."
                            + " Default: 60s.")
    private @Nullable Duration window;

    @Option(
            names = "--scrape-staleness",
            paramLabel = "TIME",
            description =
                    "Discard a sample as predecessor when it is older than TIME; the increase of a counter is then unknown."
                            + " Default: 5m.")
    private @Nullable Duration staleness;

    @Option(
            names = "--promql",
            paramLabel = "VERSION",
            description =
                    "PromQL semantics of windowed queries: 3 (a range excludes its start) or 2 (a range includes it, as Prometheus"
                            + " up to 2.x). Default: 3.")
    private @Nullable Integer promql;

    @Option(
            names = "--scrape-from",
            paramLabel = "TIME",
            description =
                    "End of the first window, in seconds since 1970 or as 2026-01-31T12:00:00Z. Default: the first with"
                            + " samples.")
    private @Nullable String from;

    @Option(
            names = "--scrape-to",
            paramLabel = "TIME",
            description = "End of the last window, in the format of --scrape-from. Default: the last with samples.")
    private @Nullable String to;

    @Option(
            names = "--scrape-select",
            paramLabel = "PREFIX{L=V,…}",
            description =
                    "Labels of the series to include in windows, for series whose names begin with PREFIX, such as"
                            + " DCGM_FI_{container=triton}. Repeatable. Default: all series.")
    private List<String> selectors = List.of();

    @Option(
            names = "--scrape-model",
            paramLabel = "MODEL",
            description =
                    "Triton model to include in windows; select the ensemble or its members so that requests are not counted"
                            + " twice. Repeatable. Default: all models.")
    private List<String> models = List.of();

    /** Whether any of these options is given. */
    boolean areGiven() {
        return !expectedNodes.isEmpty()
                || keysMax != null
                || window != null
                || staleness != null
                || promql != null
                || from != null
                || to != null
                || !selectors.isEmpty()
                || !models.isEmpty();
    }

    /**
     * Builds the settings.
     *
     * @param defaults apply where an option is not given
     */
    public TelemetryOptions build(TelemetryOptions defaults) {
        ScrapeOptions scrape = defaults.scrape();
        return new TelemetryOptions(
                expectedNodes.isEmpty() ? defaults.expectedNodes() : expectedNodes,
                keys(defaults.keysMax()),
                new ScrapeOptions(
                        window == null ? scrape.windowMillis() : window.toMillis(),
                        staleness == null ? scrape.stalenessMillis() : staleness.toMillis(),
                        promql == null ? scrape.promql() : promql,
                        from == null ? scrape.fromMillis() : (Long) time("--scrape-from", from),
                        to == null ? scrape.toMillis() : (Long) time("--scrape-to", to),
                        selectors.isEmpty() ? scrape.selectors() : selectors(),
                        models.isEmpty() ? scrape.models() : models));
    }

    private int keys(int defaults) {
        int room = TelemetryLimits.ofThisHeap().operationKeys();
        if (keysMax == null) {
            return Math.min(defaults, room);
        }
        if (keysMax > room) {
            throw new IllegalArgumentException("--max-keys " + keysMax + " does not fit: the heap of "
                    + (Runtime.getRuntime().maxMemory() >> 20) + " MiB has room for " + room
                    + " keys. Lower it, or raise -Xmx in METRICS_AGGREGATOR_JAVA_OPTS");
        }
        return keysMax;
    }

    private static long time(String option, String text) {
        try {
            if (text.matches("\\d{1,11}(\\.\\d{1,3})?")) {
                double seconds = Double.parseDouble(text);
                if (seconds <= SECONDS_MAX) {
                    return Math.round(seconds * 1000);
                }
            }
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    option + " '" + text + "' is neither seconds since 1970 nor a time such as 2026-01-31T12:00:00Z",
                    e);
        }
    }

    private Map<String, Map<String, String>> selectors() {
        Map<String, Map<String, String>> all = new LinkedHashMap<>();
        for (String each : selectors) {
            Matcher matcher = SELECTOR.matcher(each);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "--scrape-select '" + each + "' is not a selector such as DCGM_FI_{container=triton}");
            }
            Map<String, String> labels = new TreeMap<>();
            for (String label : matcher.group(2).split(",", -1)) {
                int equals = label.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException(
                            "--scrape-select '" + each + "': '" + label + "' is not LABEL=VALUE");
                }
                labels.put(label.substring(0, equals).strip(), unquoted(label.substring(equals + 1)));
            }
            all.put(matcher.group(1).strip(), labels);
        }
        return all;
    }

    private static String unquoted(String text) {
        return text.strip().replaceAll("^[\"']|[\"']$", "");
    }
}
