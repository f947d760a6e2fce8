package io.metricsaggregator.report.sweep;

import io.metricsaggregator.sweep.Sweep;

/** The formats of a sweep; the only place that chooses its renderer. */
public enum SweepFormat {
    /** Tables and lines for a terminal. */
    TEXT,
    /** One HTML file with the front and the figures over concurrency. */
    HTML,
    /** One row per point. */
    CSV,
    /** Markdown, for a pull request. */
    MD,
    /** All figures with medians and ranges, and every run. */
    JSON;

    /** Renders a sweep. */
    public String render(Sweep sweep) {
        return switch (this) {
            case TEXT -> SweepText.render(sweep);
            case HTML -> SweepHtml.render(sweep);
            case CSV -> SweepCsv.render(sweep);
            case MD -> SweepMarkdown.render(sweep);
            case JSON -> SweepJson.render(sweep);
        };
    }
}
