package io.metricsaggregator.otlp;

import java.util.Comparator;

/** The identity of a span: ids of spans are unique only in their trace. Comparable, so that chosen ids that collide cost no linear search. */
record SpanKey(long traceHigh, long traceLow, long id) implements Comparable<SpanKey> {
    private static final Comparator<SpanKey> ORDER = Comparator.comparingLong(SpanKey::traceHigh)
            .thenComparingLong(SpanKey::traceLow)
            .thenComparingLong(SpanKey::id);

    static SpanKey of(Span span) {
        return new SpanKey(span.traceHigh(), span.traceLow(), span.id());
    }

    /** Another span of the same trace. */
    SpanKey sibling(long other) {
        return new SpanKey(traceHigh, traceLow, other);
    }

    @Override
    public int compareTo(SpanKey other) {
        return ORDER.compare(this, other);
    }
}
