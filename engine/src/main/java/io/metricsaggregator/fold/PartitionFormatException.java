package io.metricsaggregator.fold;

/** Thrown for bytes that are not a stamped event or the row of a sample. The message names the value that is wrong. */
final class PartitionFormatException extends Exception {
    private static final long serialVersionUID = 1;

    PartitionFormatException(String message) {
        super(message);
    }
}
