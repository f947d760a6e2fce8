package io.metricsaggregator.daemon;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.BatchReader;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventRecordCodec;
import io.metricsaggregator.event.Topic;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events of a journal, or its samples, for tools that people have. */
public final class JournalExport {
    /** What comes out. */
    public enum Format {
        /** A JSON object for each record, as it was received; one that is malformed as base64. */
        JSONL,
        /** A row for each sample, with a header (RFC 4180). Samples that never completed come last. */
        CSV
    }

    private static final String HEADER = "sample_uuid,worker,issued_ns,first_received_ns,last_received_ns,completed_ns,"
            + "ttft_ns,latency_ns,chunks,finish_reason,error_type,error_message\r\n";

    private final Format format;
    private final OutputStream out;
    private final BatchReader batch = new BatchReader();
    private final MsgpackTree trees = new MsgpackTree();
    private final EventRecordCodec codec = new EventRecordCodec();
    private final Map<String, Sample> open = new LinkedHashMap<>();
    private long records;

    private JournalExport(Format format, OutputStream out) {
        this.format = format;
        this.out = out;
    }

    /** A sample's row in the making. */
    private static final class Sample {
        private final String id;
        private @Nullable Long worker;
        private @Nullable Long issued;
        private @Nullable Long first;
        private @Nullable Long last;
        private @Nullable Long completed;
        private long chunks;
        private @Nullable String finishReason;
        private @Nullable ErrorData error;

        Sample(String id) {
            this.id = id;
        }
    }

    /**
     * Writes what a run received.
     *
     * @param journal a run's folder, or the directory of journals, whose newest run is taken
     * @return how many records there were
     */
    public static long write(Path journal, Format format, OutputStream out) throws IOException {
        Path folder = JournalDirectory.findRun(journal);
        JournalExport export = new JournalExport(format, out);
        try {
            export.begin();
            new JournalReader().read(folder, export.visitor());
            export.end();
        } catch (UncheckedIOException e) {
            throw new IOException("the export could not be written: " + e.getCause(), e);
        }
        return export.records;
    }

    private JournalReader.Visitor visitor() {
        return new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {
                // Records have times of their own.
            }

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                frameReceived(buffer, start, length);
            }
        };
    }

    private void frameReceived(ByteBuffer buffer, int start, int length) {
        if (length <= Topic.LENGTH) {
            return;
        }
        int payload = start + Topic.LENGTH;
        int size = length - Topic.LENGTH;
        if (!Topic.isBatch(buffer, start)) {
            record(buffer, payload, size);
            return;
        }
        batch.open(buffer, payload, size);
        while (batch.next()) {
            if (batch.length() > 0) {
                record(buffer, batch.start(), batch.length());
            }
        }
    }

    private void record(ByteBuffer buffer, int start, int length) {
        records++;
        byte[] bytes = new byte[length];
        buffer.get(start, bytes);
        if (format == Format.JSONL) {
            write(line(bytes));
            write(new byte[] {'\n'});
            return;
        }
        try {
            sample(codec.decode(ByteBuffer.wrap(bytes)));
        } catch (MalformedMessageException e) {
            // It belongs to no sample; the snapshot counts it.
            return;
        }
    }

    private byte[] line(byte[] bytes) {
        try {
            codec.decode(ByteBuffer.wrap(bytes));
            Object tree = trees.read(ByteBuffer.wrap(bytes));
            if (tree instanceof Map<?, ?> map) {
                return JsonTree.writeLine(map);
            }
        } catch (MalformedMessageException | RuntimeException e) {
            // Said below, as it came.
        }
        return JsonTree.writeLine(Map.of("malformed_base64", Base64.getEncoder().encodeToString(bytes)));
    }

    private void sample(EventRecord event) {
        if (event.sampleUuid().isEmpty()) {
            return;
        }
        Sample row = open.computeIfAbsent(event.sampleUuid(), Sample::new);
        if (event.workerId() != null) {
            row.worker = event.workerId();
        }
        long now = event.timestampNanos();
        switch (event.type()) {
            case SAMPLE_ISSUED -> row.issued = now;
            case SAMPLE_RECV_FIRST -> {
                row.first = now;
                row.last = now;
                row.chunks++;
            }
            case SAMPLE_RECV_NON_FIRST -> {
                row.last = now;
                row.chunks++;
            }
            case SAMPLE_COMPLETE -> {
                row.completed = now;
                row.finishReason = event.finishReason();
                open.remove(row.id);
                write(row);
            }
            default -> {
                if (row.error == null && event.data() instanceof ErrorData error) {
                    row.error = error;
                }
            }
        }
    }

    private void begin() {
        if (format == Format.CSV) {
            write(HEADER.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void end() {
        open.values().forEach(this::write);
    }

    private void write(Sample row) {
        ErrorData error = row.error;
        String line = String.join(
                ",",
                text(row.id),
                number(row.worker),
                number(row.issued),
                number(row.first),
                number(row.last),
                number(row.completed),
                between(row.issued, row.first),
                between(row.issued, row.completed),
                Long.toString(row.chunks),
                text(row.finishReason),
                text(error == null ? null : error.errorType()),
                text(error == null ? null : error.errorMessage()));
        write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String number(@Nullable Long value) {
        return value == null ? "" : value.toString();
    }

    private static String between(@Nullable Long start, @Nullable Long end) {
        return start == null || end == null ? "" : Long.toString(end - start);
    }

    /** Quoted; what a spreadsheet would take for a formula gets an apostrophe in front. */
    static String text(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            return "";
        }
        boolean formula = "=+-@\t\r".indexOf(value.charAt(0)) >= 0;
        return '"' + (formula ? "'" : "") + value.replace("\"", "\"\"") + '"';
    }

    private void write(byte[] bytes) {
        try {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
