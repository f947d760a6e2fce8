package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The limits that were in force when a snapshot was taken, and the parts that this copy of it lacks.
 *
 * @param limits largest sizes, by name, such as {@code in_flight}; empty if the daemon does not report them
 * @param leftOut parts of the snapshot that were left out because of its size or for want of memory, as paths such as
 *     {@code telemetry.operation.by_key}; empty for a whole snapshot
 */
public record Completeness(Map<String, Long> limits, List<String> leftOut) {
    /** A whole snapshot of a daemon that does not report its limits. */
    public static final Completeness UNKNOWN = new Completeness(Map.of(), List.of());

    /** The form of {@link #limits}. */
    public static final Fields.Form<Map<String, Long>> LIMITS = Forms.map(Forms.INTEGER);

    /** The form of {@link #leftOut}. */
    public static final Fields.Form<List<String>> LEFT_OUT = Forms.list(Forms.TEXT);

    public Completeness {
        limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
        leftOut = List.copyOf(leftOut);
    }

    /** A whole snapshot that was taken under these limits. */
    public static Completeness whole(Map<String, Long> limits) {
        return new Completeness(limits, List.of());
    }
}
