package io.metricsaggregator.samples;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.BatchReader;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventRecordCodec;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.Topic;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.tokens.TextLengths;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events of a journal and its samples, in a format of other tools. */
public final class JournalExport {
    /** What comes out. */
    public enum Format {
        /** A JSON object for each record of any kind, as it was received; one that is malformed as base64. */
        JSONL,
        /** A row for each sample. Samples that never completed come last. */
        CSV,
        /** A database of both. */
        SQLITE
    }

    private final Rows rows;
    private final SampleRows samples;
    private final BatchReader batch = new BatchReader();
    private final MsgpackTree trees = new MsgpackTree();
    private final EventRecordCodec codec = new EventRecordCodec();
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();
    private long records;

    private JournalExport(Rows rows, @Nullable TextLengths lengths) {
        this.rows = rows;
        this.samples = new SampleRows(rows, lengths);
    }

    /**
     * Writes what a run received.
     *
     * @param journal a run's folder, or the directory of journals, whose newest run is taken
     * @param format any but {@link Format#SQLITE}
     * @param lengths counts the tokens of texts; null for rows without
     * @return how many records there were
     */
    public static long write(Path journal, Format format, @Nullable TextLengths lengths, OutputStream out)
            throws IOException {
        Path folder = JournalDirectory.findRun(journal);
        return switch (format) {
            case JSONL -> write(folder, new JsonRows(out), lengths);
            case CSV -> write(folder, new CsvRows(out), lengths);
            case SQLITE -> throw new IllegalArgumentException("a database needs a file");
        };
    }

    /**
     * Makes a database of what a run received.
     *
     * @param file which must be empty or not be there
     */
    public static long writeDatabase(Path journal, @Nullable TextLengths lengths, Path file) throws IOException {
        Path folder = JournalDirectory.findRun(journal);
        return write(folder, new SqliteRows(file, JournalReader.describe(folder)), lengths);
    }

    private static long write(Path folder, Rows rows, @Nullable TextLengths lengths) throws IOException {
        try (rows) {
            JournalExport export = new JournalExport(rows, lengths);
            new JournalReader().read(folder, export.visitor());
            export.samples.end();
            return export.records;
        } catch (UncheckedIOException e) {
            throw new IOException("the export could not be written: " + e.getCause(), e);
        }
    }

    private JournalReader.Visitor visitor() {
        return new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {
                // Records have times of their own.
            }

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                try {
                    frameReceived(buffer, start, length);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }

    private void frameReceived(ByteBuffer buffer, int start, int length) throws IOException {
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

    private void record(ByteBuffer buffer, int start, int length) throws IOException {
        records++;
        byte[] bytes = new byte[length];
        buffer.get(start, bytes);
        if (decoder.decode(ByteBuffer.wrap(bytes), 0, length, event) != null) {
            rows.record(new RecordRow(null, null, null, null, encoded("malformed_base64", bytes)));
            return;
        }
        Map<?, ?> fields = fields(bytes);
        rows.record(new RecordRow(
                event.hasTimestamp() ? event.timestampNanos() : null,
                type(fields),
                event.idLength() == 0 ? "" : new String(event.copyIdText(), StandardCharsets.UTF_8),
                event.hasWorkerId() ? event.workerId() : null,
                fields == null ? encoded("record_base64", bytes) : JsonTree.writeLine(fields)));
        if (event.type() != null) {
            sample(bytes);
        }
    }

    /** All of a well-formed record; null if it has no JSON form: a container is a key. */
    private @Nullable Map<?, ?> fields(byte[] bytes) {
        try {
            return trees.read(ByteBuffer.wrap(bytes)) instanceof Map<?, ?> map ? JsonForm.of(map) : null;
        } catch (MalformedMessageException e) {
            return null;
        }
    }

    private @Nullable String type(@Nullable Map<?, ?> fields) {
        EventType known = event.type();
        return known != null
                ? known.wireName()
                : fields != null && fields.get("event_type") instanceof String other ? other : null;
    }

    private void sample(byte[] bytes) throws IOException {
        EventRecord whole;
        try {
            whole = codec.decode(ByteBuffer.wrap(bytes));
        } catch (MalformedMessageException e) {
            // A number that only the daemon's arithmetic takes: the record has its line, its sample no row.
            return;
        }
        samples.apply(whole, bytes);
    }

    private static byte[] encoded(String key, byte[] bytes) {
        return JsonTree.writeLine(Map.of(key, Base64.getEncoder().encodeToString(bytes)));
    }
}
