package io.metricsaggregator.imports.journal;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.ToolCheck;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a format reads into records as it reads it, with the times of the file, and puts the events of a session around them. The
 * first requests are held for {@value #HOLD_MILLIS} ms of waiting, so that the session begins with the earliest of them. The figures of the
 * tool are left to an import of the finished file. Memory: 16 bytes for each id. One thread.
 */
public final class LiveImport implements ImportSink {
    private static final long HOLD_MILLIS = 300;

    private final String format;
    private final ImportOptions options;
    private final Output output;
    private final EventPacker packer = new EventPacker();
    private final RequestRecords records;
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();
    private final IdSet ids = new IdSet();
    private final Map<String, Long> skipped = new TreeMap<>();
    private final RequestTimes times = new RequestTimes(this::skipped);
    private final List<ImportedRequest> unplaced = new ArrayList<>();
    private boolean started;
    private boolean tracking;
    private boolean ended;
    private @Nullable String interrupted;
    private long heldSinceNanos;
    private long requests;
    private int changes;
    private long lastIssueNanos = Long.MIN_VALUE;
    private long lastNanos = Long.MIN_VALUE;

    /** Publishes records. */
    public interface Output {
        /**
         * Publishes a record after those before it.
         *
         * @param payload the encoded record; not modified afterwards
         * @param session whether it is an event of the session, which must not wait for others
         */
        void publish(byte[] payload, boolean session) throws IOException;
    }

    /**
     * Starts before the first request.
     *
     * @param format name of the format, the prefix of generated ids
     */
    public LiveImport(String format, ImportOptions options, Output output) {
        this.format = format;
        this.options = options;
        this.output = output;
        this.records = new RequestRecords(packer, options);
    }

    /** Requests published, or samples issued by the records published. */
    public long requests() {
        return requests;
    }

    /** Records of the file that were skipped, by reason. */
    public Map<String, Long> skipped() {
        return skipped;
    }

    /** Called while nothing can be read: releases the requests that were held long enough. */
    public void idle() throws IOException {
        if (heldSinceNanos != 0 && System.nanoTime() - heldSinceNanos > HOLD_MILLIS * 1_000_000) {
            release();
        }
    }

    private void release() throws IOException {
        heldSinceNanos = 0;
        List<ImportedRequest> held = new ArrayList<>(times.end());
        held.sort(Comparator.comparingLong(ImportedRequest::issuedNanos));
        for (ImportedRequest each : held) {
            settled(each);
        }
    }

    @Override
    public void request(ImportedRequest request) throws IOException {
        if (request.isWarmup() && options.warmup() == ImportOptions.Warmup.DROP) {
            skipped("warmup_dropped");
            return;
        }
        List<ImportedRequest> known = times.take(request);
        if (known.isEmpty() && heldSinceNanos == 0) {
            heldSinceNanos = System.nanoTime();
        }
        if (known.size() > 1) {
            heldSinceNanos = 0;
            known = new ArrayList<>(known);
            known.sort(Comparator.comparingLong(ImportedRequest::issuedNanos));
        }
        for (ImportedRequest each : known) {
            settled(each);
        }
    }

    private void settled(ImportedRequest request) throws IOException {
        String reason = times.settle(request);
        if (reason != null) {
            skipped(reason);
            return;
        }
        if (request.unreadableMessages() > 0) {
            skipped("message_unreadable", request.unreadableMessages());
        }
        if (request.isStartUnknown()) {
            unplaced.add(request);
            if (started) {
                place();
            } else if (unplaced.size() > RequestTimes.FIRST) {
                unplaced.remove(0);
                skipped("start_unknown");
            }
            return;
        }
        publish(request);
        place();
    }

    private void publish(ImportedRequest request) throws IOException {
        long issued = request.issuedNanos();
        boolean warmup = request.isWarmup() && options.warmup() == ImportOptions.Warmup.UNTRACKED;
        if (tracking == warmup && changes >= RunFolder.WINDOWS_MAX) {
            skipped("warmup_interleaved");
            return;
        }
        if (!started) {
            started = true;
            session(EventType.SESSION_STARTED, issued);
        }
        if (tracking == warmup) {
            tracking = !warmup;
            changes++;
            session(
                    tracking
                            ? EventType.SESSION_START_PERFORMANCE_TRACKING
                            : EventType.SESSION_STOP_PERFORMANCE_TRACKING,
                    issued);
        }
        records.forEach(request, newId(request), (nanos, kind, payload) -> publish(nanos, payload, false));
        lastIssueNanos = Math.max(lastIssueNanos, warmup ? Long.MIN_VALUE : issued);
    }

    /** Publishes failures of unknown issue at the last issue that is known; they have no end. */
    private void place() throws IOException {
        for (ImportedRequest each : unplaced) {
            String id = newId(each);
            long at = Math.max(lastIssueNanos, Long.MIN_VALUE + 1);
            publish(at, packer.issued(at, each, id, options.keepTexts()), false);
            publish(at, packer.error(at, each, id), false);
        }
        unplaced.clear();
    }

    private String newId(ImportedRequest request) {
        requests++;
        String id = request.id();
        return id == null || id.isEmpty() || !ids.add(id)
                ? String.format(Locale.ROOT, "%s-%09d", format, requests)
                : id;
    }

    private void session(EventType type, long nanos) throws IOException {
        publish(nanos, packer.session(type, nanos), true);
    }

    private void publish(long nanos, byte[] payload, boolean session) throws IOException {
        lastNanos = Math.max(lastNanos, nanos);
        output.publish(payload, session);
    }

    @Override
    public void record(byte[] payload) throws IOException {
        boolean known = decoder.decode(ByteBuffer.wrap(payload), 0, payload.length, event) == null;
        EventType type = known ? event.type() : null;
        if (known && event.hasTimestamp()) {
            lastNanos = Math.max(lastNanos, event.timestampNanos());
        }
        requests += type == EventType.SAMPLE_ISSUED ? 1 : 0;
        started |= type == EventType.SESSION_STARTED;
        ended |= type == EventType.SESSION_ENDED;
        output.publish(payload, type != null && type.isSession());
    }

    /** Ends the session, unless the file's own records have: to be called after the last record. */
    public void end() throws IOException {
        release();
        if (tracking) {
            session(EventType.SESSION_STOP_PERFORMANCE_TRACKING, Math.max(lastIssueNanos, Long.MIN_VALUE + 1));
        }
        if (started && !ended) {
            if (interrupted != null) {
                session(EventType.SESSION_INTERRUPTED, lastNanos);
            }
            session(EventType.SESSION_ENDED, lastNanos);
        }
        if (!unplaced.isEmpty()) {
            skipped("start_unknown", unplaced.size());
        }
    }

    @Override
    public void skipped(String reason) {
        skipped(reason, 1);
    }

    @Override
    public void skipped(String reason, long number) {
        skipped.merge(reason, number, Long::sum);
    }

    @Override
    public void interrupted(String why) {
        interrupted = why;
    }

    /** Takes all parts as one run: a live view has one. */
    @Override
    public boolean part(String label) {
        return true;
    }

    @Override
    public void kind(SourceKind kind) {
        // The daemon finds out from the events.
    }

    @Override
    public void toolVersion(String version) {
        // Of the finished file.
    }

    @Override
    public void unknowable(String name, String reason) {
        // Of the finished file.
    }

    @Override
    public void dates(long startNanos, @Nullable Long endNanos) {
        // Of the finished file.
    }

    @Override
    public void toolFigure(String name, Object value) {
        // Of the finished file.
    }

    @Override
    public void value(String series, double value) {
        // Of the finished file.
    }

    @Override
    public void check(ToolCheck check) {
        // Of the finished file.
    }

    @Override
    public void summary(SummarySeries series) {
        // Of the finished file.
    }

    @Override
    public void summaryCounter(String name, long value) {
        // Of the finished file.
    }
}
