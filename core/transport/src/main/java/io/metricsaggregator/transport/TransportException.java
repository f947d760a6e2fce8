package io.metricsaggregator.transport;

import java.io.IOException;

/** A socket could not be opened. The text names the endpoint and what to do. */
public final class TransportException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The cause of a failure to open a socket. */
    public enum Reason {
        /** The operating system refused, or another process holds the endpoint. */
        UNAVAILABLE,
        /** Opening it would give others access; an option allows that. */
        UNSAFE
    }

    private final Reason reason;

    public TransportException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public TransportException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Whether opening failed or was not allowed. */
    public Reason reason() {
        return reason;
    }
}
