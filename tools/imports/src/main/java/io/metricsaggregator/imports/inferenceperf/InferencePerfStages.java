package io.metricsaggregator.imports.inferenceperf;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.read.Rfc3339;
import io.metricsaggregator.imports.read.YamlDocument;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The stages of a run of inference-perf: planned by {@code config.yaml}, reached by the {@code stage_N_lifecycle_metrics.json}, and begun when
 * {@code inference-perf.partial.stage_0.yaml} says. The tool stops a stage early only when it is interrupted, times out or loses a worker: a run of
 * fewer requests than planned was cut short. Belongs to one import.
 */
final class InferencePerfStages {
    /** Stages whose figures are kept. */
    private static final int KEPT_MAX = 1000;

    private static final Pattern REPORT =
            Pattern.compile("(?!.*adapter_).*stage_(\\d{1,6})_lifecycle_metrics\\.json(\\.gz)?");
    private static final Pattern FIRST = Pattern.compile("(?!.*stage_0*[1-9]).*");

    private boolean configured;
    private @Nullable Long planned;

    /** Whether the start of a file shows the tool's configuration. */
    static boolean isConfiguration(String text) {
        return ("\n" + text).contains("\nload:") && text.contains("\nserver:") && text.contains("\nreport:");
    }

    /** Reads a YAML file: the configuration or the report of a stage. */
    void read(ImportSource source, ImportSink sink) throws IOException {
        JsonFields fields = YamlDocument.read(source, sink);
        if (fields == null) {
            return;
        }
        try {
            JsonFields time = fields.has("run") ? fields.requiredObject("run").objectOrEmpty("time") : JsonFields.EMPTY;
            if (fields.has("load")) {
                plan(fields, sink);
            } else if (!fields.has("run")) {
                sink.skipped("not_a_report");
            } else if (time.has("start") && FIRST.matcher(source.name()).matches()) {
                sink.dates(Rfc3339.nanos(time.text("start"), "run.time.start"), null);
            }
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }

    private void plan(JsonFields configuration, ImportSink sink) throws InvalidField {
        configured = true;
        planned = null;
        JsonFields load = configuration.requiredObject("load");
        List<@Nullable Object> all = load.array("stages");
        List<JsonFields> stages = new ArrayList<>();
        for (Object each : all == null ? List.of() : all) {
            stages.add(JsonFields.of(each, "load.stages"));
        }
        // A trace has its own number of requests, a sweep makes its own stages.
        boolean counted = !stages.isEmpty()
                && load.any("sweep") == null
                && !String.valueOf(load.any("type")).startsWith("trace")
                && configuration.objectOrEmpty("data").any("trace") == null;
        long sum = 0;
        for (int i = 0; i < stages.size(); i++) {
            Long requests = stage(i, stages.get(i), counted, sink);
            counted &= requests != null;
            sum += requests == null ? 0 : requests;
        }
        if (counted) {
            planned = sum;
        }
    }

    /** Hands over the plan of a stage; returns its number of requests, null if that does not follow from the configuration. */
    private static @Nullable Long stage(int number, JsonFields stage, boolean counted, ImportSink sink)
            throws InvalidField {
        Long concurrency = stage.count("concurrency_level");
        if (concurrency == null) {
            concurrency = stage.count("concurrent_sessions");
        }
        // The tool sets rate and duration of stages with a concurrency itself: they are no plan.
        BigDecimal rate = concurrency == null ? stage.number("rate") : null;
        BigDecimal seconds = concurrency == null ? stage.number("duration") : null;
        Long requests = stage.count("num_requests");
        if (requests == null && rate != null && seconds != null) {
            requests = whole(rate.doubleValue() * seconds.doubleValue());
        }
        keep(number, "planned requests/s", rate, sink);
        keep(number, "planned seconds", seconds, sink);
        keep(number, "planned concurrency", concurrency, sink);
        keep(number, "planned requests", counted ? requests : null, sink);
        return requests;
    }

    /** The tool's own rounding; null beyond what any run sends. */
    private static @Nullable Long whole(double product) {
        return product >= 0 && product < 1e12 ? (Long) (long) product : null;
    }

    private static void keep(int stage, String figure, @Nullable Number value, ImportSink sink) {
        if (value != null && stage < KEPT_MAX) {
            sink.toolFigure(
                    "stage " + stage + ": " + figure, value instanceof Long ? value : (Object) value.doubleValue());
        }
    }

    /** Takes the tool's own check of its reports: the number of errors that it found. */
    void validation(JsonFields fields, ImportSink sink) throws InvalidField {
        long errors = errors(fields.requiredObject("global"));
        JsonFields reports = fields.objectOrEmpty("reports");
        for (String report : reports.names()) {
            errors += errors(reports.requiredObject(report));
        }
        sink.toolFigure("validation errors", errors);
    }

    private static int errors(JsonFields findings) throws InvalidField {
        List<@Nullable Object> errors = findings.array("errors");
        return errors == null ? 0 : errors.size();
    }

    /** Takes the report of a stage; returns false if the file is none. */
    boolean report(ImportSource source, JsonFields fields, ImportSink sink) throws InvalidField {
        Matcher name = REPORT.matcher(source.name());
        if (!name.matches()) {
            return false;
        }
        int number = Integer.parseInt(name.group(1));
        JsonFields load = fields.requiredObject("load_summary");
        keep(number, "requests", load.count("count"), sink);
        keep(number, "requests/s", load.number("achieved_rate"), sink);
        return true;
    }

    /**
     * After the last file: compares what was planned with what was done.
     *
     * @param requests requests that the files hold, damaged ones included; null if that is unknown, as of a file that was cut
     */
    void finish(@Nullable Long requests, ImportSink sink) {
        Long all = planned;
        if (all != null && requests != null) {
            sink.toolFigure("planned requests", all);
            sink.toolFigure("requests in the files", requests);
        }
        if (!configured) {
            sink.unknowable(
                    "interrupted",
                    "the file does not say whether the run was cut short: import config.yaml beside it, which has the planned requests");
        } else if (all == null) {
            sink.unknowable("interrupted", "the configuration does not say how many requests were planned");
        } else if (requests != null && requests < all) {
            sink.interrupted(
                    String.format(Locale.ROOT, "%,d of the %,d planned requests are in the file", requests, all));
        } else if (requests != null && requests > all) {
            sink.unknowable(
                    "interrupted",
                    String.format(
                            Locale.ROOT,
                            "the configuration plans %,d requests and the file has %,d: they are of different runs",
                            all,
                            requests));
        }
    }
}
