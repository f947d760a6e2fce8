package io.metricsaggregator.sweep;

import java.util.Locale;

/** The samples that the figures of a point cover. */
public enum Basis {
    /** All tracked samples of the run. */
    RUN,
    /** The samples issued in the steady window, whose level was held long enough to be certified. */
    STEADY;

    /** The name in files: {@code run} or {@code steady}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
