package io.metricsaggregator.snapshot;

/**
 * Rates over a sliding window.
 *
 * @param windowSeconds nominal length of the window: 1, 10 or 60
 * @param coveredSeconds actual length: shorter at the start of a run, up to a tick longer later
 * @param recordsPerSecond records received
 * @param issuedPerSecond samples issued
 * @param completedPerSecond samples completed
 * @param failedPerSecond error events
 * @param bytesPerSecond bytes received
 * @param goodPerSecond good samples; 0 without objectives
 */
public record Rate(
        int windowSeconds,
        double coveredSeconds,
        double recordsPerSecond,
        double issuedPerSecond,
        double completedPerSecond,
        double failedPerSecond,
        double bytesPerSecond,
        double goodPerSecond) {}
