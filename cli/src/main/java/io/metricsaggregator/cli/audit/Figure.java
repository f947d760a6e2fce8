package io.metricsaggregator.cli.audit;

import org.jspecify.annotations.Nullable;

/**
 * A figure of a tool beside what the server did.
 *
 * @param name as in the tool's file
 * @param unit {@code ms}, or empty for a number
 * @param tool what the tool says
 * @param server what the server did, by the tool's definition; null if it is unknown
 * @param ours the same by this project's definition; null if it is unknown
 * @param verdict of the tool's figure by its own definition
 * @param note why, or what the figure is instead; may be empty
 */
record Figure(
        String name,
        String unit,
        double tool,
        @Nullable Double server,
        @Nullable Double ours,
        Verdict verdict,
        String note) {
    /** How far a figure is from what the server did. */
    enum Verdict {
        /** Within the resolution of the tool's file. */
        EXACT,
        /** Within 2 % and at least 1 ms. */
        WITHIN,
        /** Further away. */
        WRONG,
        /** The run was cut or requests failed, and the tool did not show it. */
        SILENT,
        /** The server does not know either. */
        UNKNOWN;

        /** Whether the tool misleads. */
        boolean isBad() {
            return this == WRONG || this == SILENT;
        }
    }

    /** The difference to what the server did; null if that is unknown. */
    @Nullable
    Double difference() {
        return server == null ? null : (Double) (tool - server);
    }
}
