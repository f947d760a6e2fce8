package io.metricsaggregator.parts;

import java.io.IOException;

/** Bytes that are no part, were altered or cut short, or are a part of a version that this program does not know. */
public final class PartFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    PartFormatException(String message) {
        super(message);
    }

    PartFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
