package io.metricsaggregator.codec;

import java.io.IOException;

/** Thrown for bytes that are not a message of the expected form. The message names the offending part and never quotes more than a line of it. */
public final class MalformedMessageException extends IOException {
    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message);
    }
}
