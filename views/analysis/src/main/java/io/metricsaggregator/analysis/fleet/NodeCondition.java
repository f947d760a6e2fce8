package io.metricsaggregator.analysis.fleet;

import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.SessionState;

/** The condition of a node of a fleet as reports and screens name it, from the worst to the best: the order of their rows. */
public enum NodeCondition {
    /** It stopped sending snapshots before its run ended. */
    LOST("lost", '×', 'x'),
    /** The fleet left it out of its sums. */
    REFUSED("refused", '⊘', '#'),
    /** It sends no snapshots at present. */
    STALE("stale", '◐', '!'),
    /** Its run ended before its session did. */
    INTERRUPTED("interrupted", '◇', '!'),
    /** It is expected and has sent nothing yet. */
    WAITING("waiting", '○', '-'),
    /** Its snapshots arrive. */
    LIVE("live", '●', '+'),
    /** Its run is complete. */
    ENDED("ended", '✓', '=');

    private final String word;
    private final char sign;
    private final char asciiSign;

    NodeCondition(String word, char sign, char asciiSign) {
        this.word = word;
        this.sign = sign;
        this.asciiSign = asciiSign;
    }

    /** The condition of a row. */
    public static NodeCondition of(NodeRow row) {
        if (row.refused() != null) {
            return REFUSED;
        }
        return switch (row.state()) {
            case WAITING -> WAITING;
            case LIVE -> LIVE;
            case STALE -> STALE;
            case LOST -> LOST;
            case ENDED -> row.session() == SessionState.INTERRUPTED ? INTERRUPTED : ENDED;
        };
    }

    /** The condition in one word. */
    public String word() {
        return word;
    }

    /** The sign and the word, such as {@code × lost}. */
    public String marked() {
        return sign + " " + word;
    }

    /** The text with the signs of all conditions in ASCII. */
    public static String ascii(String text) {
        String plain = text;
        for (NodeCondition each : values()) {
            plain = plain.replace(each.sign + " " + each.word, each.asciiSign + " " + each.word);
        }
        return plain;
    }
}
