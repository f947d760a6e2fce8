package io.metricsaggregator.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * The session as its events announced it.
 *
 * @param started whether {@code session.started} was received
 * @param tracking whether performance tracking began: by its event, or because every sample is to be tracked
 * @param interrupted whether the producer reported that it aborted the session ({@code session.interrupted})
 * @param superPassSize samples in one pass over the dataset, as the first performance phase announced it; null if none did
 */
public record SessionInfo(
        boolean started,
        boolean tracking,
        boolean interrupted,
        @Nullable Long superPassSize) {}
