package io.metricsaggregator.synthetic;

/** Thrown for a request that the server answers with an error status. Its message goes to the client. */
final class RequestRejected extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    RequestRejected(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The HTTP status, 400 to 599. */
    int status() {
        return status;
    }
}
