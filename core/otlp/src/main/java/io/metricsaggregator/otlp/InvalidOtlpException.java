package io.metricsaggregator.otlp;

/** Thrown when a body is not an {@code ExportTraceServiceRequest}: not protobuf or JSON, cut, or beyond a limit. The text says where. */
public final class InvalidOtlpException extends Exception {
    private static final long serialVersionUID = 1;

    InvalidOtlpException(String problem) {
        // A client may send many such bodies, and nobody looks where the reader was.
        super(problem, null, false, false);
    }

    static InvalidOtlpException at(int offset, String problem) {
        return new InvalidOtlpException(problem + " at byte " + offset);
    }
}
