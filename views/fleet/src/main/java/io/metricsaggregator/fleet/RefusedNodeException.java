package io.metricsaggregator.fleet;

/** A snapshot that cannot be added to the others. Its message says why, for the row of the node. */
final class RefusedNodeException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedNodeException(String reason) {
        super(reason);
    }
}
