package io.metricsaggregator.imports.json;

/**
 * Thrown when a field of a record is missing, has another type than its format says, or is out of range. The importer skips the record
 * and counts {@link #reason}.
 */
public final class InvalidField extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;

    /**
     * Describes the field.
     *
     * @param field its name
     * @param problem {@code missing}, {@code invalid} or another word that completes the reason
     */
    public InvalidField(String field, String problem) {
        super(field + " is " + problem);
        this.reason = field + "_" + problem;
    }

    /** The name under which the skipped record is counted, such as {@code request_start_ns_missing}. */
    public String reason() {
        return reason;
    }
}
