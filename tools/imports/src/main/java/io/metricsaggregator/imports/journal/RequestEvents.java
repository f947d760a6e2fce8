package io.metricsaggregator.imports.journal;

import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportedRequest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of a run in a temporary file, and their order. At one time the order is: chunks, errors and completions of samples issued
 * earlier; failures of unknown issue; issues; chunks, errors and completions of samples issued at that time; then the order of the file. So no sample is in flight
 * longer than its times say, and its last chunk precedes an end at the same time. One thread.
 */
final class RequestEvents implements Closeable {
    private static final int CLASS_SHIFT = 60;
    private static final int WARMUP_SHIFT = 59;
    private static final long OFFSET_MASK = (1L << WARMUP_SHIFT) - 1;
    private static final int CHUNK = 0;
    private static final int ERROR = 1;
    private static final int COMPLETION = 2;
    /** Failures of unknown issue: the tag has their number and not their offset, issues are even. */
    private static final int PLACED = 3;

    private static final int ISSUE = 4;
    private static final int AT_ISSUE = 5;
    /** Failures of unknown issue in memory. */
    private static final int UNPLACED_MAX = 1 << 20;

    private final Scratch scratch;
    private final EventOrder order;
    private final EventPacker packer = new EventPacker();
    private final ImportOptions options;
    private final RequestRecords records;
    private final List<Unplaced> unplaced = new ArrayList<>();
    private long[] placed = {};
    private long newestNanos = Long.MIN_VALUE;
    private long firstTrackedNanos = Long.MAX_VALUE;

    /** A failure of unknown issue. */
    private record Unplaced(ImportedRequest request, String id) {}

    /** Receives the events in order. */
    interface Visitor {
        /**
         * Takes the next event.
         *
         * @param issue whether it is the issue of a sample
         * @param warmup whether it belongs to a warm-up request; only for issues
         * @param record reads the encoded record; valid during the call
         */
        void event(long nanos, boolean issue, boolean warmup, Encoded record) throws IOException;
    }

    /** Reads an encoded record from the temporary file. */
    interface Encoded {
        /** Returns the record. */
        byte[] read();
    }

    RequestEvents(Path folder, ImportOptions options) throws IOException {
        this.scratch = new Scratch(folder);
        this.order = new EventOrder(folder);
        this.options = options;
        this.records = new RequestRecords(packer, options);
    }

    /**
     * Adds a failure of unknown issue. It is placed at the first tracked issue, where it changes no window, and has no end.
     *
     * @return whether there is room
     */
    boolean addUnplaced(ImportedRequest request, String id) {
        return unplaced.size() < UNPLACED_MAX && unplaced.add(new Unplaced(request, id));
    }

    /** Adds the events of a request whose times do not contradict each other. */
    void add(ImportedRequest request, String id) throws IOException {
        boolean warmup = request.isWarmup() && options.warmup() == ImportOptions.Warmup.UNTRACKED;
        long issued = request.issuedNanos();
        if (!warmup) {
            firstTrackedNanos = Math.min(firstTrackedNanos, issued);
        }
        long issueTag = ((long) ISSUE << CLASS_SHIFT) | (warmup ? 1L << WARMUP_SHIFT : 0);
        records.forEach(
                request,
                id,
                (nanos, kind, payload) -> append(
                        nanos,
                        switch (kind) {
                            case ISSUE -> issueTag;
                            case CHUNK -> tag(CHUNK, nanos, issued);
                            case ERROR -> tag(ERROR, nanos, issued);
                            case COMPLETION -> tag(COMPLETION, nanos, issued);
                        },
                        payload));
    }

    private static long tag(int kind, long nanos, long issued) {
        return (long) (nanos == issued ? AT_ISSUE + kind : kind) << CLASS_SHIFT;
    }

    /** Adds a record as it is, behind all before it. */
    void add(byte[] payload, @Nullable Long nanos) throws IOException {
        if (nanos != null || newestNanos == Long.MIN_VALUE) {
            newestNanos = Math.max(newestNanos, nanos == null ? 0 : nanos);
        }
        append(newestNanos, 0, payload);
    }

    private void append(long nanos, long tag, byte[] payload) throws IOException {
        order.add(nanos, tag | scratch.append(payload));
    }

    /** Ends adding. */
    void seal() throws IOException {
        long at = firstTrackedNanos == Long.MAX_VALUE ? 0 : firstTrackedNanos;
        placed = new long[2 * unplaced.size()];
        for (int i = 0; i < unplaced.size(); i++) {
            Unplaced each = unplaced.get(i);
            placed[2 * i] = scratch.append(packer.issued(at, each.request(), each.id(), options.keepTexts()));
            placed[2 * i + 1] = scratch.append(packer.error(at, each.request(), each.id()));
            order.add(at, (long) PLACED << CLASS_SHIFT | 2L * i);
            order.add(at, (long) PLACED << CLASS_SHIFT | 2L * i + 1);
        }
        unplaced.clear();
        scratch.seal();
    }

    /** Visits all events in order; can be called again. */
    void forEach(Visitor visitor) throws IOException {
        order.forEach((nanos, tag) -> {
            boolean isPlaced = tag >>> CLASS_SHIFT == PLACED;
            long offset = isPlaced ? placed[(int) (tag & OFFSET_MASK)] : tag & OFFSET_MASK;
            visitor.event(
                    nanos,
                    isPlaced ? (tag & 1) == 0 : tag >>> CLASS_SHIFT == ISSUE,
                    !isPlaced && (tag >>> WARMUP_SHIFT & 1) == 1,
                    () -> scratch.read(offset));
        });
    }

    @Override
    public void close() throws IOException {
        try (scratch) {
            order.close();
        }
    }
}
