package io.metricsaggregator.imports.endpoints;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.imports.json.JsonLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * Event logs of MLCommons endpoints, {@code events.jsonl} and {@code events.db}, and this project's {@code export --format jsonl} and
 * {@code sqlite}. Every line or row is one record of the protocol and goes into the journal as it is, in the order of the file.
 */
public final class EndpointsFormat implements ImportFormat {
    private static final String DATABASE = "SQLite format 3\0";

    @Override
    public String name() {
        return "endpoints";
    }

    @Override
    public String tool() {
        return "MLCommons endpoints";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return head.has("event_type", "timestamp_ns")
                || head.has("malformed_base64")
                || head.has("record_base64")
                || head.text().startsWith(DATABASE);
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return (source, sink) -> {
            sink.kind(SourceKind.CHUNKS);
            if (source.head().text().startsWith(DATABASE)) {
                readDatabase(source, sink);
            } else {
                readLines(source, sink);
            }
        };
    }

    private static void readLines(ImportSource source, ImportSink sink) throws IOException {
        JsonLines lines = new JsonLines(source.text(), sink::skipped);
        MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
        for (JsonFields line = lines.next(); line != null; line = lines.next()) {
            record(line, packer, sink);
        }
        if (lines.notNumbers() > 0) {
            sink.skipped("values_not_a_number", lines.notNumbers());
        }
    }

    private static void readDatabase(ImportSource source, ImportSink sink) throws IOException {
        Path file = source.file();
        if (file == null) {
            throw new IOException("a database cannot be read from standard input: name its file");
        }
        new EndpointsDatabase(source, file, sink).read();
    }

    /** Hands one line to the sink: the record, or the bytes that the export kept of a record without a JSON form. */
    static void record(JsonFields line, MessageBufferPacker packer, ImportSink sink) throws IOException {
        Object bytes = line.has("malformed_base64") ? line.any("malformed_base64") : line.any("record_base64");
        if (bytes instanceof String base64 && line.names().size() == 1) {
            try {
                sink.record(Base64.getDecoder().decode(base64));
            } catch (IllegalArgumentException e) {
                sink.skipped("base64_invalid");
            }
        } else if (line.any("event_type") instanceof String) {
            sink.record(MsgpackTree.encode(line.values(), packer));
        } else {
            sink.skipped("event_type_missing");
        }
    }
}
