package io.metricsaggregator.report;

/** The formats a report can be had in. */
public enum ReportFormat {
    /** For people: a page of text. */
    TEXT,
    /** For scripts: {@code result_summary.json} of MLCommons endpoints. */
    JSON,
    /** For people who know {@code report.txt} of MLCommons endpoints. */
    MLCOMMONS;

    /**
     * Renders a report.
     *
     * @param unicode whether text may use more than ASCII
     */
    public String render(Report report, boolean unicode) {
        return switch (this) {
            case TEXT -> new TextReport(report, unicode).render();
            case JSON -> ResultSummary.render(report);
            case MLCOMMONS -> SummaryText.render(report);
        };
    }
}
