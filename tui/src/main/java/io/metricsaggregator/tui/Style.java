package io.metricsaggregator.tui;

/** How text looks. What it means is in the text as well: colours can be missing, or not be told apart. */
public enum Style {
    PLAIN,
    DIM,
    TITLE,
    KEY,
    GOOD,
    WARN,
    BAD
}
