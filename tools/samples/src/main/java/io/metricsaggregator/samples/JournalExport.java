package io.metricsaggregator.samples;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventRecordCodec;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RunFiles;
import io.metricsaggregator.journal.RunOrigin;
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

/** Exports the records and samples of a journal as JSON lines, CSV or an SQLite database. */
public final class JournalExport {
    /** The output format. */
    public enum Format {
        /** A JSON object for each record of any kind; a malformed one as base64. */
        JSONL,
        /** A row for each sample. Samples that never completed come last. */
        CSV,
        /** A JSON object for each sample: its tokens as counted and as reported. */
        TOKEN_ACCOUNTING,
        /** A database of both. */
        SQLITE,
        /** A row for each sample, in a directory by run and node. */
        PARQUET,
        /** A trace of the requests, for Perfetto and chrome://tracing. */
        PERFETTO
    }

    private final Rows rows;
    private final SampleRows samples;
    private final FrameRecords frames = new FrameRecords(this::record);
    private final MsgpackTree trees = new MsgpackTree();
    private final EventRecordCodec codec = new EventRecordCodec();
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();
    private long records;
    private long receivedNanos;

    private JournalExport(Rows rows, SampleRun run, @Nullable TextLengths lengths) {
        this.rows = rows;
        this.samples = new SampleRows(run, rows::sample, lengths);
    }

    /**
     * Writes the records or samples of a run to a stream.
     *
     * @param journal the folder of a run, or a directory of journals, whose newest run is exported
     * @param format a text format of rows: any but {@link Format#SQLITE}, {@link Format#PARQUET} and {@link Format#PERFETTO}
     * @param lengths counts the tokens of texts; null to leave the lengths of texts empty
     * @return the number of records
     */
    public static long write(Path journal, Format format, @Nullable TextLengths lengths, OutputStream out)
            throws IOException {
        Path folder = JournalDirectory.findRun(journal);
        return switch (format) {
            case JSONL -> write(folder, new JsonRows(out), lengths);
            case CSV -> writeSamples(folder, new CsvRows(out), lengths);
            case TOKEN_ACCOUNTING -> writeSamples(folder, new TokenRows(out), lengths);
            case SQLITE -> throw new IllegalArgumentException("a database needs a file");
            case PERFETTO -> throw new IllegalArgumentException("see writeTrace");
            case PARQUET -> throw new IllegalArgumentException("Parquet files need a directory: see writeSamples");
        };
    }

    /**
     * What a trace has.
     *
     * @param records number of records of the run
     * @param requests number of its samples that were issued
     * @param shown number of these in the trace: one in 2, 4, 8… if all would be too many
     */
    public record Trace(long records, long requests, long shown) {}

    /**
     * Writes the samples of a run as slices of time, and what was observed meanwhile as counters, in the JSON form that Perfetto reads.
     *
     * @param journal the folder of a run, or a directory of journals, whose newest run is exported
     * @param chunks whether each chunk is an instant
     */
    public static Trace writeTrace(Path journal, boolean chunks, OutputStream out) throws IOException {
        TraceRows rows = new TraceRows(out, chunks, TraceRows.EVENTS_MAX);
        long records = write(JournalDirectory.findRun(journal), rows, null);
        return new Trace(records, rows.requests(), rows.shown());
    }

    /**
     * Writes the records and samples of a run to an SQLite database.
     *
     * @param file must be empty or missing
     * @param name what errors call the file, which may be a temporary one
     * @return the number of records
     */
    public static long writeDatabase(Path journal, @Nullable TextLengths lengths, Path file, Path name)
            throws IOException {
        Path folder = JournalDirectory.findRun(journal);
        return write(folder, new SqliteRows(file, name, JournalReader.describe(folder)), lengths);
    }

    private static long write(Path folder, Rows rows, @Nullable TextLengths lengths) throws IOException {
        try (rows) {
            JournalExport export = new JournalExport(rows, run(folder), lengths);
            read(RunFiles.local(folder), export::received, export.frames::frame);
            export.samples.end();
            return export.records;
        }
    }

    /**
     * Hands the rows of a run's samples to a sink.
     *
     * @param folder the folder of a run
     * @param lengths counts the tokens of texts; null to leave the lengths of texts empty
     * @return the number of records
     * @throws IOException if the journal cannot be read, or the sink threw one
     */
    public static long writeSamples(Path folder, @Nullable TextLengths lengths, SampleSink sink) throws IOException {
        return writeSamples(RunFiles.local(folder), lengths, sink);
    }

    /**
     * Hands the rows of a run's samples to a sink, as {@link #writeSamples(Path, TextLengths, SampleSink)}, wherever the run's files are.
     *
     * @throws IOException if the journal cannot be read, or the sink threw one
     */
    public static long writeSamples(RunFiles run, @Nullable TextLengths lengths, SampleSink sink) throws IOException {
        return writeSamples(run, new SampleFrames(SampleRun.of(JournalReader.describe(run)), sink, lengths));
    }

    private static long writeSamples(Path folder, Rows rows, @Nullable TextLengths lengths) throws IOException {
        try (rows) {
            return writeSamples(
                    RunFiles.local(folder), new SampleFrames(new SampleRows(run(folder), rows::sample, lengths)));
        }
    }

    private static long writeSamples(RunFiles folder, SampleFrames frames) throws IOException {
        read(folder, frames::received, frames::frame);
        frames.end();
        return frames.records();
    }

    private static SampleRun run(Path folder) throws IOException {
        return SampleRun.of(JournalReader.describe(folder));
    }

    /** Receives the time and the origin of the frames that follow. */
    @FunctionalInterface
    private interface Receipt {
        void received(long nanos, RunOrigin origin);
    }

    private void received(long nanos, RunOrigin origin) {
        receivedNanos = nanos;
        samples.origin(origin);
    }

    private static void read(RunFiles folder, Receipt receipt, FrameRecords.Visitor frames) throws IOException {
        try {
            JournalReader reader = new JournalReader();
            reader.read(folder, visitor(reader, receipt, frames));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static JournalReader.Visitor visitor(JournalReader reader, Receipt receipt, FrameRecords.Visitor frames) {
        return new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {
                receipt.received(nanos, reader.origin());
            }

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                try {
                    frames.record(buffer, start, length);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }

    private void record(ByteBuffer buffer, int start, int length) throws IOException {
        records++;
        byte[] bytes = new byte[length];
        buffer.get(start, bytes);
        if (decoder.decode(ByteBuffer.wrap(bytes), 0, length, event) != null) {
            rows.record(new RecordRow(null, null, null, null, null, encoded("malformed_base64", bytes)));
            return;
        }
        Map<?, ?> fields = fields(bytes);
        rows.record(new RecordRow(
                event.hasTimestamp() ? event.timestampNanos() : null,
                type(fields),
                event.idLength() == 0 ? "" : new String(event.copyIdText(), StandardCharsets.UTF_8),
                event.hasWorkerId() ? event.workerId() : null,
                event.hasChunkTokens() ? event.chunkTokens() : null,
                fields == null ? encoded("record_base64", bytes) : JsonTree.writeLine(fields)));
        if (event.type() != null) {
            sample(bytes);
        }
    }

    /** The fields of a well-formed record; null if it has no JSON form because a map or list is a key. */
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
            whole = codec.decode(ByteBuffer.wrap(bytes), receivedNanos);
        } catch (MalformedMessageException e) {
            // EventRecord cannot hold a number of this record: it is exported, but not applied to its sample.
            return;
        }
        samples.apply(whole, bytes);
    }

    private static byte[] encoded(String key, byte[] bytes) {
        return JsonTree.writeLine(Map.of(key, Base64.getEncoder().encodeToString(bytes)));
    }
}
