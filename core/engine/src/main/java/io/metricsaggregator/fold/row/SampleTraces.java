package io.metricsaggregator.fold.row;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.DecodedTrace;

/**
 * The spans that sent the samples in flight, as the {@code traceparent} of their last issue names them. A run without traces pays one
 * comparison a sample. Belongs to the thread of the fold; allocates only to grow.
 */
final class SampleTraces {
    private final RowColumn highs = new RowColumn();
    private final RowColumn lows = new RowColumn();
    /** Span ids; 0 for a sample without a trace. */
    private final RowColumn spans = new RowColumn();

    private boolean any;

    /** Takes the trace of a sample's issue, or that it has none. */
    void issued(DecodedEvent event, int row) {
        DecodedTrace trace = event.trace();
        if (trace.isPresent() && trace.hasTrace()) {
            any = true;
            highs.set(row, trace.traceHigh());
            lows.set(row, trace.traceLow());
            spans.set(row, trace.span());
        } else if (any) {
            spans.set(row, 0);
        }
    }

    long high(int row) {
        return highs.get(row);
    }

    long low(int row) {
        return lows.get(row);
    }

    /** The span that sent a sample; 0 if it is of no trace. */
    long span(int row) {
        return spans.get(row);
    }
}
