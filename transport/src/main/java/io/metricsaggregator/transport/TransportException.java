package io.metricsaggregator.transport;

import java.io.IOException;

/** A socket could not be opened. The text names the endpoint and what to do. */
public final class TransportException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** The operating system refused, or somebody else has it. */
        UNAVAILABLE,
        /** It could be opened, and it would let others in; an option allows it. */
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

    /** Whether it could not be done or was not allowed. */
    public Reason reason() {
        return reason;
    }
}
