package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.FinishReason;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.fold.label.LabelCodes;
import io.metricsaggregator.fold.label.LabelFold;
import io.metricsaggregator.fold.label.ProgressFold;
import io.metricsaggregator.fold.row.InFlightCounts;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.row.OutageTable;
import io.metricsaggregator.fold.row.RowsAhead;
import io.metricsaggregator.fold.row.SampleContext;
import io.metricsaggregator.fold.row.SlowSamples;
import io.metricsaggregator.fold.row.WindowSums;
import io.metricsaggregator.fold.series.LoadgenCounters;
import io.metricsaggregator.fold.series.LoadgenSeries;
import io.metricsaggregator.fold.series.StreamingSeries;
import io.metricsaggregator.fold.series.SuccessCounters;
import io.metricsaggregator.fold.steady.SliceTable;
import io.metricsaggregator.fold.steady.SloFold;
import io.metricsaggregator.fold.steady.SteadyBatches;
import io.metricsaggregator.fold.token.FirstChunks;
import io.metricsaggregator.fold.token.OptionalFolds;
import io.metricsaggregator.fold.token.TextFold;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.OutputDetail;
import io.metricsaggregator.text.PendingOutput;
import org.jspecify.annotations.Nullable;

/**
 * Folds the events of samples: issued, first chunk received, further chunks received, completed, and failed at any point. A sample is
 * tracked if a tracked window was open when it was issued; the reference ignores all others, so every series and every {@code tracked_}
 * counter is of tracked samples alone. Samples that are not tracked are kept to count those in flight. Belongs to the thread of the
 * fold; no event allocates.
 */
public final class SampleFold {
    private final LoadgenCounters counters;
    private final RecordLedger ledger;
    private final SuccessCounters successes;
    final LoadgenSeries series;
    private final InFlightTable table;
    private final RowsAhead rows;
    private final WindowSums windows;
    private final SliceTable slices;
    private final SteadyBatches batches;
    private final OutageTable outages;

    private final @Nullable SloFold slo;
    private final TextFold texts;
    private final OptionalFolds optional;
    private final LabelFold labels;
    private final ProgressFold progress;
    final SlowSamples slow;
    final FirstChunks firstChunks;
    private final InFlightCounts inFlight;

    SampleFold(
            LoadgenCounters counters,
            RecordLedger ledger,
            SuccessCounters successes,
            LoadgenSeries series,
            InFlightTable table,
            RowsAhead rows,
            WindowSums windows,
            SliceTable slices,
            SteadyBatches batches,
            @Nullable SloFold slo,
            TextFold texts,
            OptionalFolds optional,
            InFlightCounts inFlight) {
        this.counters = counters;
        this.ledger = ledger;
        this.successes = successes;
        this.series = series;
        this.table = table;
        this.rows = rows;
        this.windows = windows;
        this.slices = slices;
        this.batches = batches;
        this.slo = slo;
        this.texts = texts;
        this.optional = optional;
        this.labels = optional.labels;
        this.progress = optional.progress;
        this.outages = new OutageTable(ledger);
        this.slow = new SlowSamples(table);
        this.inFlight = inFlight;
        this.firstChunks = new FirstChunks(series, table, batches, optional);
    }

    OutageTable outages() {
        return outages;
    }

    boolean leavesChunksOut() {
        return series.leftOut();
    }

    void issued(DecodedEvent event, SampleContext stamp) {
        long now = event.timestampNanos();
        windows.follow(stamp);
        counters.totalIssued.increment();
        optional.issueRejected(event);
        if (stamp.slice != SampleContext.NONE) {
            slices.count(stamp.slice, SliceTable.ISSUED);
        }
        int row = rows.find(event);
        boolean known = row != InFlightTable.NONE;
        progress.issued(now);
        boolean windowOpen = stamp.isTracking;
        ledger.appliedOrDuplicate(!known);
        if (known) {
            ledger.samplesReissued.increment();
        }
        if (known && table.isTracked(row)) {
            // A retry. With no window open it is counted and changes nothing of the sample.
            counters.trackedIssued.increment();
            if (windowOpen) {
                windows.left(table.window(row));
                batches.left(table.issued(row));
                startAfresh(row, now);
                track(event, stamp, row, now);
            }
            return;
        }
        if (known) {
            // The reference ignores a sample issued outside a window, so this is its first issue.
            table.forgetReceived(row);
        } else {
            // Several rows may have to go where a long id takes the room of many short ones.
            while (table.isFull()) {
                evictOldest(now);
            }
            row = table.insert(event, rows.hash());
            inFlight.inserted(now);
        }
        startAfresh(row, now);
        if (windowOpen) {
            counters.trackedIssued.increment();
            inFlight.tracked();
            optional.conversations.issued(event, row, now);
            optional.jobs.issued(event, row, now);
            track(event, stamp, row, now);
        }
    }

    /** Resets a sample that is issued again: it has not failed, and has lived through no outage. */
    private void startAfresh(int row, long now) {
        firstChunks.issued(row, now);
        optional.forget(row);
        if (table.isTracked(row)) {
            labels.left(row);
            successes.retried(table.hasFailed(row));
        }
        if (table.outage(row) != OutageTable.NONE) {
            outages.left(table.outage(row));
            table.forgetOutage(row);
        }
        if (table.hasFailed(row)) {
            table.unfail(row);
            inFlight.unfailed(now);
        }
    }

    private void track(DecodedEvent event, SampleContext stamp, int row, long now) {
        windows.issued(now, stamp.position);
        batches.issued(now);
        slow.issued(event, row);
        optional.superPasses.issued(row, table.isTracked(row), now);
        table.track(row, windows.open(), LabelCodes.worker(stamp.labels));
        if (event.hasScheduled()) {
            table.scheduled(row, event.scheduledNanos());
            series.record(series.schedule().slip, event.scheduledNanos(), now);
        } else {
            table.forgetScheduled(row);
        }
        labels.issued(stamp, row);
        texts.prompt(event, row);
    }

    void evictOldest(long now) {
        int row = table.oldest();
        if (row == InFlightTable.NONE) {
            return;
        }
        ledger.inFlightEvicted.increment();
        if (table.isTracked(row)) {
            windows.left(table.window(row));
            batches.left(table.issued(row));
            optional.conversations.evicted(row, now);
            optional.jobs.evicted(row);
        }
        forget(row, now);
        table.removeOldest();
    }

    /** Takes a row out of the counts of samples in flight. */
    private void forget(int row, long now) {
        if (table.outage(row) != OutageTable.NONE) {
            outages.left(table.outage(row));
        }
        if (table.isTracked(row)) {
            labels.left(row);
        }
        inFlight.left(row, now);
    }

    void receivedFirst(DecodedEvent event, SampleContext stamp) {
        long now = event.timestampNanos();
        int slice = stamp.slice;
        if (event.areChunkKeysRejected()) {
            optional.chunks.rejected();
        }
        progress.answered(now, false);
        int row = rows.find(event);
        if (row == InFlightTable.NONE) {
            ledger.eventsOrphan.increment();
            return;
        }
        optional.answered(row);
        ledger.appliedOrDuplicate(!table.hasFirstReceived(row));
        long issued = table.issued(row);
        if (slice != SampleContext.NONE && now >= issued && TimestampMath.fits(issued, now)) {
            slices.timeToFirstToken(slice, now - issued);
        }
        StreamingSeries streaming = table.isTracked(row) ? series.streaming() : null;
        if (streaming != null) {
            firstChunks.received(event, streaming, row, issued, now);
        }
        if (event.hasChunkKeys()) {
            optional.chunks.received(event, row, now, true);
        }
        firstChunks.noted(row, now);
    }

    void receivedNext(DecodedEvent event) {
        long now = event.timestampNanos();
        if (event.areChunkKeysRejected()) {
            optional.chunks.rejected();
        }
        int row = rows.find(event);
        if (row == InFlightTable.NONE) {
            progress.answered(now, false);
            ledger.eventsOrphan.increment();
        } else {
            appliedNext(1, now);
            firstChunks.next(row, now, event.hasChunkKeys() ? event : null);
        }
    }

    /** Counts further chunks of samples in flight that arrived together, the last of them of {@code lastNanos}. */
    void appliedNext(long chunks, long lastNanos) {
        progress.answered(lastNanos, false);
        ledger.recordsApplied.add(chunks);
    }

    void completed(DecodedEvent event, SampleContext stamp) {
        long now = event.timestampNanos();
        int slice = stamp.slice;
        windows.follow(stamp);
        counters.totalCompleted.increment();
        if (slice != SampleContext.NONE) {
            slices.count(slice, SliceTable.COMPLETED);
        }
        optional.rejected(event);
        progress.answered(now, false);
        int row = rows.find(event);
        if (row == InFlightTable.NONE) {
            ledger.completionsOrphan.increment();
            ledger.eventsOrphan.increment();
            return;
        }
        ledger.recordsApplied.increment();
        long issued = table.issued(row);
        if (slice != SampleContext.NONE && !table.hasFailed(row) && now >= issued && TimestampMath.fits(issued, now)) {
            slices.latency(slice, now - issued);
        }
        if (table.isTracked(row)) {
            trackedCompleted(event, stamp, row, issued, now);
            slow.note(event, stamp, row, issued, firstChunks.issuedOf(row), now);
        } else if (stamp.hadBegunTracking(issued)) {
            texts.untracked(event, table.hasFailed(row));
        }
        forget(row, now);
        table.remove(row, rows.hash());
    }

    private void trackedCompleted(DecodedEvent event, SampleContext stamp, int row, long issued, long now) {
        counters.trackedCompleted.increment();
        labels.answered(row);
        labels.completed(row, table.hasFailed(row), issued, now);
        FinishReason reason = event.finishReason();
        if (reason != null) {
            counters.finishReason(reason).increment();
        }
        series.record(series.sampleLatency, issued, now);
        boolean hasText = event.dataKind() == DecodedEvent.DataKind.TEXT_MODEL_OUTPUT;
        StreamingSeries streaming = table.hasFirstReceived(row) ? series.streaming() : null;
        if (table.hasFailed(row)) {
            trackedErrored(row, issued, now, hasText, streaming);
        } else {
            trackedSucceeded(row, issued, now, streaming);
        }
        long first = table.hasFirstReceived(row) ? table.firstReceived(row) : now;
        long firstIssued = firstChunks.issuedOf(row);
        boolean streamed = streaming != null && TimestampMath.fits(first, now);
        long sinceFirst = streamed ? now - first : PendingOutput.NO_FIRST_CHUNK;
        boolean hasFailed = table.hasFailed(row);
        boolean counted = texts.takes(event, hasFailed);
        LimitsMet limitsMet = slo == null
                ? LimitsMet.JUDGED
                : slo.completed(hasFailed, issued, firstIssued, first, now, labels.of(row), counted && streamed);
        firstChunks.completed(row, issued, now, counted);
        optional.superPasses.completed(row, issued, now);
        optional.conversations.completed(
                event, row, hasFailed, counted && !hasFailed && texts.isCounting(), issued, now);
        optional.jobs.completed(row, hasFailed, now);
        optional.server.completed(event, row, hasFailed, firstIssued);
        if (event.hasUsage()) {
            optional.usage.completed(event.usage(), row, hasFailed, sinceFirst);
            if (!hasFailed) {
                texts.reported(event.usage(), row);
            }
        }
        if (streaming != null) {
            optional.chunks.completed(event, row, hasFailed, firstIssued);
        }
        if (counted && !texts.isCounting()) {
            texts.leftOut(issued, limitsMet, labels.of(row));
        } else if (counted) {
            OutputDetail detail = optional.detail(event, row, hasFailed, issued, now);
            PendingOutput pending = new PendingOutput(sinceFirst, issued, now, limitsMet, detail);
            texts.output(event, pending, optional.chunks.firstTokens(row));
        }
        windows.completed(table.window(row), issued, now, stamp.position);
    }

    private void trackedSucceeded(int row, long issued, long now, @Nullable StreamingSeries streaming) {
        successes.succeeded(issued, now, table.hasFirstReceived(row));
        if (streaming != null) {
            firstChunks.succeeded(streaming, row);
        }
        if (table.hasScheduled(row)) {
            series.record(series.schedule().responseLatency, table.scheduled(row), now);
        }
    }

    private void trackedErrored(int row, long issued, long now, boolean hasText, @Nullable StreamingSeries streaming) {
        series.record(series.failedLatency, issued, now);
        if (streaming != null) {
            series.record(streaming.failedTimeToFirstToken, firstChunks.issuedOf(row), table.firstReceived(row));
        }
        successes.completedAfterError(firstChunks.chunks(row), hasText);
    }

    void failed(DecodedEvent event, SampleContext stamp) {
        long now = event.timestampNanos();
        int slice = stamp.slice;
        counters.totalFailed.increment();
        if (slice != SampleContext.NONE) {
            slices.count(slice, SliceTable.FAILED);
        }
        if (event.idKind() == IdKind.EMPTY) {
            ledger.recordsApplied.increment();
            return;
        }
        progress.answered(now, true);
        int row = rows.find(event);
        if (row == InFlightTable.NONE) {
            ledger.eventsOrphan.increment();
            return;
        }
        optional.answered(row);
        ledger.appliedOrDuplicate(!table.hasFailed(row));
        if (table.isTracked(row)) {
            counters.trackedFailed.increment();
        }
        if (!table.hasFailed(row)) {
            table.fail(row);
            inFlight.failed(row, now);
            if (table.isTracked(row)) {
                successes.errored.increment();
            }
        }
    }

    InFlightCounts inFlight() {
        return inFlight;
    }
}
