package io.metricsaggregator.proxy;

/** A message that is not HTTP/1, or that two readers could frame differently. */
final class MalformedHttpException extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    /**
     * Creates the exception.
     *
     * @param status with which a request is refused
     */
    MalformedHttpException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /** The status with which a request is refused. */
    int status() {
        return status;
    }

    /** Why, for the refused client. */
    String reason() {
        return String.valueOf(getMessage());
    }
}
