package io.metricsaggregator.publish;

/** Exit status of the process. */
public enum ExitStatus {
    /** The final snapshot, COMPLETE or INTERRUPTED, is durable. */
    DURABLE(0),
    /** Wrong usage, or an unsafe configuration. */
    USAGE(2),
    /** Out of memory; the JVM's own status for it, too. */
    OUT_OF_MEMORY(3),
    /** A socket, a lock or the output directory is not available. */
    UNAVAILABLE(4),
    /** The final snapshot is not known to be durable. */
    NOT_DURABLE(5),
    /** With {@code --strict}: something received was not applied. */
    NOT_CLEAN(6),
    /** {@code compare}, {@code sweep}: a condition of {@code --fail-if} holds. */
    CONDITION_HOLDS(7),
    /** {@code report --strict-verdict}: the verdict on the run is INVALID. */
    INVALID_RUN(8),
    /** {@code check-producer}, {@code check-subscriber}, {@code check-consumer}: a case fails, or a known failure passes; {@code submission --check}: it would be refused. */
    CASE_FAILED(8),
    /** {@code report}, {@code export}: the run has no data of the format. */
    NO_DATA(11),
    /** {@code --interrupt-on-stall}: no endpoint answered; the final snapshot is durable. {@code wait --fail-on-stall}: an endpoint stalled. */
    ENDPOINT_STALLED(12),
    /** An internal error; an INTERRUPTED snapshot was attempted. */
    INTERNAL(70);

    private final int code;

    ExitStatus(int code) {
        this.code = code;
    }

    /** The exit status as a number, 0 to 255. */
    public int code() {
        return code;
    }
}
