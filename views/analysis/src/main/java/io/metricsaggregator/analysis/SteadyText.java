package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.figures.SteadyState;
import org.jspecify.annotations.Nullable;

/** Words for the steady state. */
public final class SteadyText {
    private SteadyText() {}

    /** The figure that the steady state is judged by, for people, such as {@code time between chunks}; null before any value. */
    public static @Nullable String driver(SteadyState steady) {
        String wire = steady.driver();
        if (wire == null) {
            return null;
        }
        if (wire.equals(SeriesName.CHUNK_DELTA_NS.wire())) {
            return "time between chunks";
        }
        SeriesName series = SeriesName.ofWire(wire);
        return series == null ? wire : series.title();
    }
}
