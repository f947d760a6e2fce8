package io.metricsaggregator.tui;

/** The style of a text. The text carries the meaning too, because colours can be missing or indistinguishable. */
public enum Style {
    PLAIN,
    DIM,
    TITLE,
    KEY,
    GOOD,
    WARN,
    BAD
}
