package io.metricsaggregator.telemetry.energy;

/**
 * Energy of a device in a span of time.
 *
 * @param joules energy of the covered time
 * @param coveredNanos time in which the energy is known
 * @param resets how often the counter started again
 * @param samples samples in the span
 */
record EnergySpan(double joules, long coveredNanos, long resets, long samples) {
    static final EnergySpan NONE = new EnergySpan(0, 0, 0, 0);

    EnergySpan plus(EnergySpan other) {
        return new EnergySpan(
                joules + other.joules,
                coveredNanos + other.coveredNanos,
                resets + other.resets,
                samples + other.samples);
    }
}
