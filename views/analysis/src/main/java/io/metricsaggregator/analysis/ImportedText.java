package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Imported;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where an imported run comes from and what is unknown of it. Stateless. */
public final class ImportedText {
    private static final int TEXT_MAX = 200;
    private static final int FILES_SHOWN = 3;
    private static final int STAGES_SHOWN = 16;

    /** Formats whose tools divide by n. */
    private static final Set<String> POPULATION = Set.of("vllm", "sglang", "aiperf-summary");

    /** Figures of tools that are requests in a time, and how many of their units are one request a second. */
    private static final Map<String, Double> TOOL_RATES = Map.of(
            "Aggregated: Requests/s", 1.0,
            "request_throughput", 1.0,
            "request_throughput_avg", 1.0,
            "throughput.requests_per_sec", 1.0,
            "results_num_completed_requests_per_min", 1 / 60.0);

    private ImportedText() {}

    /** The import of a snapshot's run; null if it was not imported. */
    public static @Nullable Imported of(MetricsSnapshot snapshot) {
        return snapshot.extensions().run().imported();
    }

    /** Whether the run has issue times, so that it has rates, slices, durations and samples in flight. True for a run of a daemon. */
    public static boolean hasTimeline(MetricsSnapshot snapshot) {
        Imported imported = of(snapshot);
        return imported == null || imported.hasTimeline();
    }

    /**
     * The requests a second that the tool of an imported run computed, with the name of its figure; null if its files have none.
     */
    public static @Nullable String toolRate(MetricsSnapshot snapshot) {
        Imported imported = of(snapshot);
        if (imported == null) {
            return null;
        }
        for (Map.Entry<String, Double> each : TOOL_RATES.entrySet()) {
            if (imported.toolFigures().get(each.getKey()) instanceof Number rate) {
                return Figures.rate(rate.doubleValue() * each.getValue()) + " req/s by the tool ("
                        + escape(each.getKey()) + ")";
            }
        }
        return null;
    }

    /** One line on where the run comes from and what is unknown; null if it was not imported. */
    public static @Nullable String headline(MetricsSnapshot snapshot) {
        Imported imported = of(snapshot);
        if (imported == null) {
            return null;
        }
        String version = imported.toolVersion() == null ? "" : " " + escape(imported.toolVersion());
        String part = imported.part() == null ? "" : ", part " + escape(imported.part());
        return "imported from " + escape(imported.tool()) + version + " (format " + escape(imported.format()) + ", "
                + kind(imported.kind()) + part + "): " + files(imported) + unknown(imported);
    }

    private static String kind(String kind) {
        return switch (kind) {
            case "C" -> "every chunk";
            case "T" -> "no times of chunks but the first";
            case Imported.DURATIONS -> "durations without issue times";
            case Imported.AGGREGATES -> "figures of the whole run only";
            default -> "kind " + escape(kind);
        };
    }

    private static String files(Imported imported) {
        List<String> names = imported.files().stream()
                .map(file -> escape(file.name()))
                .distinct()
                .toList();
        String shown = String.join(", ", names.subList(0, Math.min(FILES_SHOWN, names.size())));
        return names.size() > FILES_SHOWN ? shown + " and " + (names.size() - FILES_SHOWN) + " more" : shown;
    }

    private static String unknown(Imported imported) {
        List<String> names = new ArrayList<>();
        if (!imported.hasTimeline()) {
            names.add("rates, samples in flight, time slices, durations");
        }
        imported.unknowable().keySet().forEach(name -> names.add(escape(name)));
        return names.isEmpty() ? "" : "; unknown: " + String.join(", ", names);
    }

    /** The notes on an imported run, one line each: why something is unknown, what was skipped, and which figures differ. */
    static List<String> notes(MetricsSnapshot snapshot) {
        List<String> notes = new ArrayList<>();
        Imported imported = of(snapshot);
        if (imported == null) {
            return notes;
        }
        if (!imported.hasTimeline()) {
            notes.add("unknown: rates, samples in flight, time slices and durations: the file has no issue times");
        }
        if (imported.kind().equals(Imported.AGGREGATES) && POPULATION.contains(imported.format())) {
            notes.add("standard deviations are of a sample (n - 1), computed from the tool's, which divides by n");
        }
        notes.addAll(stages(imported));
        imported.unknowable().forEach((name, reason) -> notes.add("unknown: " + escape(name) + ": " + escape(reason)));
        if (imported.interrupted() != null) {
            notes.add("interrupted: " + escape(imported.interrupted()));
        }
        if (imported.skippedTotal() > 0) {
            notes.add("skipped on import: " + counts(imported.skipped()));
        }
        if (imported.open() > 0) {
            notes.add(String.format(
                    Locale.ROOT, "%,d requests were cancelled by the tool and have no end", imported.open()));
        }
        for (Imported.Verification each : imported.verify()) {
            if (!each.agrees()) {
                notes.add("the tool's " + escape(each.name()) + " is " + each.expected() + ", "
                        + (each.computed() == null ? "and cannot be recomputed" : each.computed() + " recomputed"));
            }
        }
        return notes;
    }

    /** What the tool planned for each stage of its load beside what the stage reached, one line each; empty if its files say neither. */
    public static List<String> stages(Imported imported) {
        List<String> lines = new ArrayList<>();
        Map<String, Object> figures = imported.toolFigures();
        if (figures.get("planned requests") instanceof Number planned
                && figures.get("requests in the files") instanceof Number reached) {
            lines.add(String.format(
                    Locale.ROOT, "planned: %,d requests; in the files: %,d", planned.longValue(), reached.longValue()));
        }
        for (int i = 0; i < STAGES_SHOWN; i++) {
            String stage = "stage " + i;
            String planned = load(figures, stage + ": planned ");
            String reached = load(figures, stage + ": ");
            if (planned.isEmpty() && reached.isEmpty()) {
                return lines;
            }
            lines.add(stage + ": planned " + (planned.isEmpty() ? "unknown" : planned) + "; reached "
                    + (reached.isEmpty() ? "unknown: import the file of the stage, too" : reached));
        }
        lines.add("further stages: see the tool's figures");
        return lines;
    }

    /** The load of a stage by the figures of this prefix, such as {@code 16 requests, 8.65 req/s}; empty if there is none. */
    private static String load(Map<String, Object> figures, String prefix) {
        List<String> words = new ArrayList<>();
        if (figures.get(prefix + "requests") instanceof Number number) {
            words.add(String.format(Locale.ROOT, "%,d requests", number.longValue()));
        }
        if (figures.get(prefix + "requests/s") instanceof Number number) {
            words.add(Figures.rate(number.doubleValue()) + " req/s");
        }
        if (figures.get(prefix + "seconds") instanceof Number number) {
            words.add("for " + Figures.duration(number.doubleValue() * 1e9));
        }
        if (figures.get(prefix + "concurrency") instanceof Number number) {
            words.add(String.format(Locale.ROOT, "%,d at a time", number.longValue()));
        }
        return String.join(", ", words);
    }

    /** Counts by reason, such as {@code 2 not_json}. */
    public static String counts(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), escape(each.getKey())))
                .collect(Collectors.joining(", "));
    }

    /** Samples in flight at the end that are failures without a time: the file has no end for them, so they are not unfinished. */
    public static long endUnknown(MetricsSnapshot snapshot) {
        Imported imported = of(snapshot);
        return imported == null ? 0 : imported.endUnknown();
    }

    /** A counter; null where the summary of a tool, of which the run was imported, does not have it. */
    static @Nullable Long known(MetricsSnapshot snapshot, CounterName counter) {
        Imported imported = of(snapshot);
        boolean summary = imported != null && imported.kind().equals(Imported.AGGREGATES);
        return summary && !snapshot.has(counter) ? null : (Long) snapshot.counter(counter);
    }

    private static String escape(String text) {
        return Printable.escape(text, TEXT_MAX);
    }
}
