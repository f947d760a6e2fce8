package io.metricsaggregator.imports.journal;

import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportedRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The events of a request as encoded records, in their order. Holds the packer's buffer: one owner at a time. */
final class RequestRecords {
    /** What a record is of its request. */
    enum Kind {
        ISSUE,
        CHUNK,
        ERROR,
        COMPLETION
    }

    /** Receives the records of a request. */
    interface Receiver {
        void record(long nanos, Kind kind, byte[] payload) throws IOException;
    }

    private final EventPacker packer;
    private final ImportOptions options;

    RequestRecords(EventPacker packer, ImportOptions options) {
        this.packer = packer;
        this.options = options;
    }

    /** Hands over the records of a request whose times do not contradict each other. */
    void forEach(ImportedRequest request, String id, Receiver receiver) throws IOException {
        boolean texts = options.keepTexts();
        long issued = request.issuedNanos();
        receiver.record(issued, Kind.ISSUE, packer.issued(issued, request, id, texts));
        Long end = end(request);
        long last = issued;
        for (int i = 0; i < request.chunks(); i++) {
            last = end == null ? request.chunkNanos(i) : Math.min(end, request.chunkNanos(i));
            receiver.record(last, Kind.CHUNK, packer.chunk(i, last, request, id));
        }
        switch (request.outcome()) {
            case SUCCEEDED -> {
                if (end != null) {
                    receiver.record(end, Kind.COMPLETION, packer.complete(end, request, id, texts));
                }
            }
            case FAILED -> {
                long failed = end == null ? last : end;
                receiver.record(failed, Kind.ERROR, packer.error(failed, request, id));
                if (end != null) {
                    receiver.record(end, Kind.COMPLETION, packer.complete(end, request, id, texts));
                }
            }
            case OPEN -> {
                // The tool cancelled it: there is no end to write.
            }
        }
    }

    private @Nullable Long end(ImportedRequest request) {
        Long stream = request.streamEndNanos();
        Long end = request.endNanos();
        return options.end() == ImportOptions.End.STREAM && stream != null && end != null && stream > end
                ? stream
                : end;
    }
}
