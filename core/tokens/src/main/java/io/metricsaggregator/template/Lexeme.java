package io.metricsaggregator.template;

/**
 * One token of a template's source.
 *
 * @param kind the syntactic category
 * @param text the source text; for a string its unescaped content
 * @param line the line of its first character, from 1
 */
record Lexeme(Kind kind, String text, int line) {
    /** The syntactic category of a lexeme. */
    enum Kind {
        TEXT,
        PRINT_START,
        PRINT_END,
        BLOCK_START,
        BLOCK_END,
        NAME,
        STRING,
        INTEGER,
        FLOAT,
        OPERATOR,
        END
    }

    boolean is(Kind wanted, String wantedText) {
        return kind == wanted && text.equals(wantedText);
    }
}
