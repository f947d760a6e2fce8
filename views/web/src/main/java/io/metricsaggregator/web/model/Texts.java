package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.report.section.Section;
import java.util.Map;

/** Texts of the page, and cells with a tone. */
final class Texts {
    /** Something to look at, such as failed samples. */
    static final String WARN = "warn";
    /** Something that is wrong, such as lost records. */
    static final String BAD = "bad";
    /** Something that is met, such as an objective. */
    static final String GOOD = "good";

    private Texts() {}

    /** Text of producers and files without control characters, cut to a length. */
    static String of(String text, int maxLength) {
        return Printable.escape(text, maxLength);
    }

    /**
     * A cell.
     *
     * @param tone {@link #WARN}, {@link #BAD}, {@link #GOOD}, {@code dim} or, for a plain cell, an empty text
     */
    static Object cell(String text, String tone) {
        return tone.isEmpty() ? text : Map.of("text", text, "tone", tone);
    }

    /** The tone of a cell of a section. */
    static String tone(Section.Tone tone) {
        return switch (tone) {
            case PLAIN -> "";
            case GOOD -> GOOD;
            case WARN -> WARN;
            case BAD -> BAD;
        };
    }
}
