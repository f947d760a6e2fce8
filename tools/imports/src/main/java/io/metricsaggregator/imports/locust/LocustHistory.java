package io.metricsaggregator.imports.locust;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.read.CsvReader;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * The history of a run of Locust as gauges: {@code locust.users}, {@code locust.rps}, {@code locust.failures_per_s} and a percentile of the
 * response times such as {@code locust.p95_ms}, once a second. Rows of single names have labels. Belongs to one read.
 */
final class LocustHistory {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** Before the year 2200. */
    private static final long SECONDS_MAX = 7_258_118_400L;

    private static final long REACH_NANOS = 30 * 86_400 * NANOS_PER_SECOND;

    private final ImportSink sink;
    private final List<String> header;
    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
    private @Nullable Long last;

    LocustHistory(ImportSink sink, List<String> header) {
        this.sink = sink;
        this.header = header;
    }

    void read(CsvReader rows) throws IOException {
        sink.kind(SourceKind.TIMES);
        sink.unknowable("samples", "the file has figures of each second, no single requests");
        for (List<String> row = rows.next(); row != null; row = rows.next()) {
            if (rows.isCut() || row.size() < header.size()) {
                sink.skipped(rows.isCut() ? "truncated" : "columns_missing");
            } else {
                row(LocustReader.cells(header, row));
            }
        }
        if (last != null) {
            session("session.ended", last);
        }
    }

    private void row(Map<String, String> cells) throws IOException {
        Double seconds = LocustReader.number(cells.get("Timestamp"));
        // A row of 1970 would open the run there; one far behind the row before it would hold all later ones there.
        if (seconds == null || seconds <= 0 || seconds > SECONDS_MAX) {
            sink.skipped("timestamp_invalid");
            return;
        }
        long nanos = seconds.longValue() * NANOS_PER_SECOND;
        if (last != null && Math.abs(nanos - last) > REACH_NANOS) {
            sink.skipped("timestamp_invalid");
            return;
        }
        if (last == null) {
            session("session.started", nanos);
        }
        last = last == null ? nanos : Math.max(last, nanos);
        for (Map.Entry<String, String> each : cells.entrySet()) {
            String gauge = gauge(each.getKey());
            Double value = LocustReader.number(each.getValue());
            if (gauge != null && value != null) {
                gauge(gauge, value, nanos, cells);
            }
        }
    }

    private static @Nullable String gauge(String column) {
        return switch (column) {
            case "User Count" -> "locust.users";
            case "Requests/s" -> "locust.rps";
            case "Failures/s" -> "locust.failures_per_s";
            default ->
                column.matches("\\d{1,3}(\\.\\d{1,6})?%")
                        ? String.format(
                                Locale.ROOT,
                                "locust.p%s_ms",
                                column.replace("%", "").replace('.', '_'))
                        : null;
        };
    }

    private void gauge(String name, double value, long nanos, Map<String, String> cells) throws IOException {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("event_type", "metric.gauge");
        record.put("timestamp_ns", nanos);
        record.put("name", name);
        record.put("value", value);
        String request = cells.getOrDefault("Name", "");
        if (!request.isEmpty() && !request.equals("Aggregated")) {
            if (name.equals("locust.users")) {
                return;
            }
            record.put("labels", Map.of("type", cells.getOrDefault("Type", ""), "name", request));
        }
        sink.record(MsgpackTree.encode(record, packer));
    }

    private void session(String type, long nanos) throws IOException {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("event_type", type);
        record.put("timestamp_ns", nanos);
        record.put("wall_ns", nanos);
        record.put("sample_uuid", "");
        sink.record(MsgpackTree.encode(record, packer));
    }
}
