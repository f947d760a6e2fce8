package io.metricsaggregator.template;

/**
 * A piece of a template.
 *
 * @param kind what it is
 * @param text the text itself, the content of a string, a name, a number or an operator
 * @param line the line it starts on, from 1
 */
record Lexeme(Kind kind, String text, int line) {
    /** Kinds of lexemes. */
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
