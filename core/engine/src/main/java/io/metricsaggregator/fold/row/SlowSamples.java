package io.metricsaggregator.fold.row;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.parts.SlowestPart;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The slowest tracked samples by latency and by time to first token. Belongs to the thread of the fold. */
public final class SlowSamples {
    private final InFlightTable table;
    private final SampleTraces traces = new SampleTraces();
    private final SlowestSamples byLatency = new SlowestSamples(SlowSample.LATENCY, traces);
    private final SlowestSamples byFirst = new SlowestSamples(SlowSample.TTFT, traces);

    /** The last copy; null if a sample was kept since. */
    private @Nullable List<SlowSample> copied;

    public SlowSamples(InFlightTable table) {
        this.table = table;
    }

    /** Takes the issue of a tracked sample, which says of which trace it is. */
    public void issued(DecodedEvent event, int row) {
        traces.issued(event, row);
    }

    /**
     * Keeps a sample that completed if it is one of the slowest; its row must still be there.
     *
     * @param issued its last issue
     * @param firstIssued issue of the attempt that had the first chunk
     */
    public void note(DecodedEvent event, SampleContext stamp, int row, long issued, long firstIssued, long now) {
        if (now >= issued && TimestampMath.fits(issued, now) && byLatency.takes(now - issued)) {
            copied = null;
            byLatency.add(issued, now - issued, event, stamp, table, row, now);
        }
        if (table.hasFirstReceived(row)) {
            long first = table.firstReceived(row);
            if (first >= firstIssued && TimestampMath.fits(firstIssued, first) && byFirst.takes(first - firstIssued)) {
                copied = null;
                byFirst.add(firstIssued, first - firstIssued, event, stamp, table, row, now);
            }
        }
    }

    /** Copies the samples as {@link #rows} does, each with its place among the slow samples. */
    public SlowestPart part() {
        List<SlowestPart.Row> rows = new ArrayList<>(2 * SlowestSamples.ROWS);
        byLatency.partTo(rows);
        byFirst.partTo(rows);
        return new SlowestPart(rows);
    }

    /** Copies the samples with the longest latency, then those with the longest time to first token; the same list until another sample is kept. */
    public List<SlowSample> rows() {
        List<SlowSample> last = copied;
        if (last == null) {
            List<SlowSample> samples = new ArrayList<>(2 * SlowestSamples.ROWS);
            byLatency.addTo(samples);
            byFirst.addTo(samples);
            last = List.copyOf(samples);
            copied = last;
        }
        return last;
    }
}
