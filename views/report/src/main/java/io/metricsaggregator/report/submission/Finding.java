package io.metricsaggregator.report.submission;

/**
 * What the checker finds.
 *
 * @param refused whether it is an error; otherwise a warning, which {@code --strict} refuses
 * @param rule the checker's name of the rule, or {@code todo}
 * @param where the file or directory below the submission
 * @param message what is wrong
 */
public record Finding(boolean refused, String rule, String where, String message) {}
