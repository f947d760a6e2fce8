package io.metricsaggregator.codec;

import java.io.IOException;

/** Bytes that are not the message they were taken for. The text names the offending part and never quotes more than a line of it. */
public final class MalformedMessageException extends IOException {
    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message);
    }
}
