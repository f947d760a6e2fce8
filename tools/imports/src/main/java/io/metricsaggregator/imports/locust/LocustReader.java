package io.metricsaggregator.imports.locust;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.read.CsvReader;
import io.metricsaggregator.imports.read.SummaryCounts;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of one import of Locust. A summary and a history are two imports: one has only figures, the other becomes a journal.
 */
final class LocustReader implements FormatReader {
    /** Rows of statistics whose figures are kept. */
    private static final int KEPT_MAX = 1000;

    private static final String AGGREGATED = "Aggregated";
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Pattern PERCENT = Pattern.compile("\\d{1,3}(\\.\\d{1,6})?%");

    private static final String ONE_FILE =
            "--json-file, _stats.csv and a history of Locust are not one but two imports: name one of them";

    private boolean summary;
    private boolean statistics;
    private boolean history;
    private int kept;

    @Override
    public void read(ImportSource source, ImportSink sink) throws IOException {
        if (LocustFormat.isJson(source.head())) {
            if (history || statistics) {
                throw new IOException(ONE_FILE);
            }
            statistics = true;
            summary = true;
            sink.kind(SourceKind.AGGREGATES);
            unknowable(sink);
            new LocustJson(sink).read(source);
            return;
        }
        String first = source.head().firstLine().replace("\"", "");
        CsvReader rows = new CsvReader(source);
        List<String> header = rows.next();
        if (header == null) {
            return;
        }
        boolean isHistory = first.startsWith(LocustFormat.HISTORY);
        boolean isStatistics = first.startsWith(LocustFormat.STATS);
        if (isHistory ? summary : history || (isStatistics && statistics)) {
            throw new IOException(ONE_FILE);
        }
        statistics |= isStatistics;
        history |= isHistory;
        summary |= !isHistory;
        if (isHistory) {
            interrupted(sink);
            new LocustHistory(sink, header).read(rows);
            return;
        }
        sink.kind(SourceKind.AGGREGATES);
        if (!LocustFormat.isTable(first)) {
            sink.skipped("header_unknown");
            return;
        }
        boolean aggregated = false;
        for (List<String> row = rows.next(); row != null; row = rows.next()) {
            if (rows.isCut() || row.size() < header.size()) {
                sink.skipped(rows.isCut() ? "truncated" : "columns_missing");
                continue;
            }
            Map<String, String> cells = cells(header, row);
            if (isStatistics) {
                aggregated |= statistics(cells, sink);
            } else if (kept++ < KEPT_MAX) {
                problem(cells, sink);
            }
        }
        if (isStatistics) {
            unknowable(sink);
            if (!aggregated) {
                sink.skipped("aggregated_row_missing");
            }
        }
    }

    private static void unknowable(ImportSink sink) {
        interrupted(sink);
        sink.unknowable("requests", "Locust writes no single requests");
        sink.unknowable("ttft_ns", "Locust measures whole responses");
    }

    private static void interrupted(ImportSink sink) {
        sink.unknowable("interrupted", "Locust writes no mark of a run that was cut short");
    }

    static Map<String, String> cells(List<String> header, List<String> row) {
        Map<String, String> cells = new LinkedHashMap<>();
        for (int i = 0; i < header.size(); i++) {
            cells.put(header.get(i).strip(), row.get(i).strip());
        }
        return cells;
    }

    /** Takes a row of statistics; returns whether it is the one of all requests. */
    private boolean statistics(Map<String, String> cells, ImportSink sink) {
        String name = cells.getOrDefault("Name", "");
        boolean all = name.equals(AGGREGATED) && !cells.getOrDefault("Type", "").matches("[A-Z]{3,}");
        Long count = count(cells.get("Request Count"));
        Long failures = count(cells.get("Failure Count"));
        if (count == null || failures == null) {
            sink.skipped("request_count_invalid");
            return false;
        }
        if (!all) {
            if (kept++ < KEPT_MAX) {
                String prefix = (cells.getOrDefault("Type", "") + " " + name).strip();
                keep(sink, prefix, cells);
            }
            return false;
        }
        keep(sink, AGGREGATED, cells);
        sink.summary(series(cells, count));
        SummaryCounts.hand(sink, count, count, failures, Math.max(0, count - failures));
        return true;
    }

    private static SummarySeries series(Map<String, String> cells, long count) {
        Map<Double, Double> percentiles = new HashMap<>();
        Double median = nanos(cells.get("Median Response Time"));
        if (median != null) {
            percentiles.put(50.0, median);
        }
        for (Map.Entry<String, String> each : cells.entrySet()) {
            Double value = nanos(each.getValue());
            if (value != null && PERCENT.matcher(each.getKey()).matches()) {
                double percent = Double.parseDouble(
                        each.getKey().substring(0, each.getKey().length() - 1));
                if (percent > 0 && percent < 100) {
                    percentiles.put(percent, value);
                }
            }
        }
        return new SummarySeries(
                "sample_latency_ns",
                count,
                nanos(cells.get("Average Response Time")),
                null,
                nanos(cells.get("Min Response Time")),
                nanos(cells.get("Max Response Time")),
                percentiles);
    }

    private static void keep(ImportSink sink, String prefix, Map<String, String> cells) {
        for (Map.Entry<String, String> each : cells.entrySet()) {
            Double value = number(each.getValue());
            if (value != null && !each.getKey().equals("Name") && !each.getKey().equals("Type")) {
                sink.toolFigure(prefix + ": " + each.getKey(), value);
            }
        }
    }

    /** Keeps a row of failures or exceptions: what happened, and how often. */
    private static void problem(Map<String, String> cells, ImportSink sink) {
        String what = cells.containsKey("Error")
                ? (cells.getOrDefault("Method", "") + " " + cells.getOrDefault("Name", "") + ": " + cells.get("Error"))
                        .strip()
                : cells.getOrDefault("Message", "");
        Long number = count(cells.containsKey("Error") ? cells.get("Occurrences") : cells.get("Count"));
        if (number == null) {
            sink.skipped("occurrences_invalid");
        } else {
            sink.toolFigure((cells.containsKey("Error") ? "failure " : "exception ") + what, number);
        }
    }

    /** The number in a cell; null for {@code N/A} and what is no finite number. */
    static @Nullable Double number(@Nullable String cell) {
        try {
            double value = cell == null || cell.length() > 40 ? Double.NaN : Double.parseDouble(cell);
            return Double.isFinite(value) ? value : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Double nanos(@Nullable String millis) {
        Double value = number(millis);
        return value == null || value < 0 ? null : (Double) (value * NANOS_PER_MILLI);
    }

    private static @Nullable Long count(@Nullable String cell) {
        Double value = number(cell);
        return value == null || value < 0 || value > 1e15 || value != Math.rint(value)
                ? null
                : (Long) value.longValue();
    }
}
