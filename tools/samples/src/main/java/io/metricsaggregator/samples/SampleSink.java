package io.metricsaggregator.samples;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Receives the rows of samples, one call each, on the thread that assembles them. */
@FunctionalInterface
public interface SampleSink {
    /**
     * A sample that completed, or that never will.
     *
     * @param values the values of {@link SampleColumn#ALL} in order: {@link String}, {@link Long}, {@link Double}, {@link Boolean} or null
     *     as the column's type says; a new array for each row
     */
    void sample(@Nullable Object[] values) throws IOException;
}
