package io.metricsaggregator.report.sweep;

import io.metricsaggregator.report.ReportFormat;
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

    /** Renders a sweep without {@code full}, for a file. */
    public String render(Sweep sweep) {
        return render(sweep, false, ReportFormat.UNLIMITED);
    }

    /**
     * Renders a sweep.
     *
     * @param full whether {@link #TEXT} has every figure and rule, as the other formats have
     * @param width columns of the terminal, which {@link #TEXT} fits
     */
    public String render(Sweep sweep, boolean full, int width) {
        return switch (this) {
            case TEXT -> SweepText.render(sweep, full, width);
            case HTML -> SweepHtml.render(sweep);
            case CSV -> SweepCsv.render(sweep);
            case MD -> SweepMarkdown.render(sweep);
            case JSON -> SweepJson.render(sweep);
        };
    }
}
