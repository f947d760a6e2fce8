package io.metricsaggregator.imports.vegeta;

import io.metricsaggregator.answer.Answer;
import io.metricsaggregator.answer.AnswerReader;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.json.JsonLines;
import io.metricsaggregator.imports.read.CsvReader;
import io.metricsaggregator.imports.read.ErrorTypes;
import io.metricsaggregator.imports.read.Rfc3339;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Results of Vegeta, {@code vegeta encode --to json} or {@code csv}: a line for each request, with its start on the wall clock and its
 * latency. Files of gob, Vegeta's own encoding, are not read.
 */
public final class VegetaFormat implements ImportFormat {
    /** Time, status code, latency, bytes out and in. */
    private static final Pattern CSV = Pattern.compile("\\d{16,19},\\d{1,3},\\d{1,19},\\d+,\\d+,.*", Pattern.DOTALL);

    /** The header that people put above the rows; Vegeta writes none. */
    private static final Pattern HEADER = Pattern.compile(
            "\"?[a-z_ ]*time[a-z_ ]*\"?,\"?[a-z_ ]+\"?,\"?[a-z_ ]*latency[a-z_ ]*\"?,.*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final int COLUMNS_MIN = 9;

    @Override
    public String name() {
        return "vegeta";
    }

    @Override
    public String tool() {
        return "Vegeta";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return head.has("attack", "seq", "latency")
                || CSV.matcher(head.firstLine()).matches()
                || HEADER.matcher(head.firstLine()).matches();
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return (source, sink) -> read(source, sink);
    }

    private static void read(ImportSource source, ImportSink sink) throws IOException {
        sink.kind(SourceKind.TIMES);
        for (String name : List.of("ttft_ns", "chunk_delta_ns")) {
            sink.unknowable(name, "Vegeta measures whole responses");
        }
        sink.unknowable("schedule_slip_ns", "the file has no due times");
        sink.unknowable("interrupted", "Vegeta writes no mark of a run that was cut short");
        if (source.head().text().stripLeading().startsWith("{")) {
            readLines(source, sink);
        } else {
            readTable(source, sink);
        }
    }

    private static void readLines(ImportSource source, ImportSink sink) throws IOException {
        JsonLines lines = new JsonLines(source.text(), sink::skipped);
        for (JsonFields line = lines.next(); line != null; line = lines.next()) {
            try {
                sink.request(ofLine(line));
            } catch (InvalidField e) {
                sink.skipped(e.reason());
            }
        }
        if (lines.notNumbers() > 0) {
            sink.skipped("values_not_a_number", lines.notNumbers());
        }
    }

    private static void readTable(ImportSource source, ImportSink sink) throws IOException {
        CsvReader rows = new CsvReader(source);
        if (HEADER.matcher(source.head().firstLine()).matches()) {
            rows.next();
        }
        for (List<String> row = rows.next(); row != null; row = rows.next()) {
            try {
                if (rows.isCut()) {
                    sink.skipped("truncated");
                } else if (row.size() < COLUMNS_MIN) {
                    sink.skipped("columns_missing");
                } else {
                    sink.request(ofRow(row));
                }
            } catch (InvalidField e) {
                sink.skipped(e.reason());
            }
        }
    }

    private static ImportedRequest ofLine(JsonFields line) throws InvalidField {
        String error = line.text("error");
        return request(
                time(error, () -> Rfc3339.nanos(line.text("timestamp"), "timestamp")),
                time(error, () -> line.requiredNanos("latency", 0)),
                line.textOfAny("code"),
                error,
                line.text("body"),
                line.textOfAny("attack"),
                line.textOfAny("seq"));
    }

    private static ImportedRequest ofRow(List<String> row) throws InvalidField {
        return request(
                time(row.get(5), () -> nanos(row.get(0), "timestamp")),
                time(row.get(5), () -> nanos(row.get(2), "latency")),
                row.get(1),
                row.get(5),
                row.get(6),
                row.get(7),
                row.get(8));
    }

    /** Reads a time or a duration of a row. */
    private interface Time {
        long read() throws InvalidField;
    }

    /** The time; 0 for a failure that has no valid one. */
    private static long time(@Nullable String error, Time time) throws InvalidField {
        try {
            return time.read();
        } catch (InvalidField e) {
            if (error == null || error.isEmpty()) {
                throw e;
            }
            return 0;
        }
    }

    private static long nanos(String cell, String name) throws InvalidField {
        try {
            return Long.parseLong(cell.strip());
        } catch (NumberFormatException e) {
            throw new InvalidField(name, "invalid");
        }
    }

    private static ImportedRequest request(
            long issued,
            long latency,
            @Nullable String code,
            @Nullable String error,
            @Nullable String body,
            @Nullable String attack,
            @Nullable String number)
            throws InvalidField {
        boolean failed = error != null && !error.isEmpty();
        boolean valid = latency >= 0 && (issued <= 0 || latency <= Long.MAX_VALUE - issued);
        if (!valid && !failed) {
            throw new InvalidField("latency", "invalid");
        }
        ImportedRequest request = ImportedRequest.issuedAt(issued);
        if (number != null && !number.isEmpty()) {
            request.id(attack == null || attack.isEmpty() ? number : attack + "/" + number);
        }
        ErrorData within = body == null || body.isEmpty() ? null : answer(body, request);
        if (error != null && failed) {
            String type = code == null || code.isEmpty() || code.equals("0") ? ErrorTypes.ofGo(error) : code;
            request.failedAt(valid ? (Long) (issued + latency) : null, type, error);
        } else if (within != null) {
            request.failedAt(issued + latency, within.errorType(), within.errorMessage());
        } else {
            request.succeededAt(issued + latency);
        }
        return request;
    }

    /** Reads the body; returns the error within a stream. The error of a whole body shows in the status, and {@code -max-body} may cut it. */
    private static @Nullable ErrorData answer(String base64, ImportedRequest request) throws InvalidField {
        String body;
        try {
            body = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new InvalidField("body", "invalid");
        }
        Answer answer = Answer.of(body);
        request.answered(answer);
        return AnswerReader.isJson(body) ? null : answer.error();
    }
}
