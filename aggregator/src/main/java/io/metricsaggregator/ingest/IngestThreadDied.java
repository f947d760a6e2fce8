package io.metricsaggregator.ingest;

/** A thread that folds samples died: what its lane had is incomplete, so the run must not go on as if nothing had happened. */
public final class IngestThreadDied extends Error {
    private static final long serialVersionUID = 1;

    IngestThreadDied(Throwable cause) {
        super("an ingest thread died: " + cause, cause);
    }
}
