package io.metricsaggregator.report;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.dialect.AiperfReport;
import io.metricsaggregator.report.dialect.CsvReport;
import io.metricsaggregator.report.dialect.HdrExport;
import io.metricsaggregator.report.dialect.JsonReport;
import io.metricsaggregator.report.dialect.MlcommonsSummary;
import io.metricsaggregator.report.dialect.MlcommonsText;
import io.metricsaggregator.report.dialect.SeriesCsv;
import io.metricsaggregator.report.dialect.SlicesCsv;
import io.metricsaggregator.report.dialect.VllmReport;
import io.metricsaggregator.report.html.HtmlReport;
import io.metricsaggregator.report.text.MarkdownReport;
import io.metricsaggregator.report.text.TextReport;
import java.util.List;

/** The formats a report can be had in. */
public enum ReportFormat {
    /** For people: a page of text. */
    TEXT,
    /** For people with a browser: one file with plots. */
    HTML,
    /** For a pull request: Markdown. */
    MD,
    /** For a spreadsheet: a row for each quantity. */
    CSV,
    /** For a spreadsheet: a row for each slice of time. */
    SLICES,
    /** For a spreadsheet: a row for each bucket of time, a column for each scraped series. */
    SERIES,
    /** For programs, by docs/report.schema.json. */
    JSON,
    /** For HdrHistogram's plotter: percentile distributions. */
    HGRM,
    /** For HdrHistogram's log tools. */
    HLOG,
    /** {@code result_summary.json} of MLCommons endpoints. */
    SUMMARY,
    /** {@code report.txt} of MLCommons endpoints. */
    MLCOMMONS,
    /** The result file of {@code vllm bench serve}. */
    VLLM,
    /** {@code profile_export_aiperf.json}. */
    AIPERF,
    /** {@code profile_export_aiperf.csv}. */
    AIPERFCSV;

    /**
     * Renders a report.
     *
     * @param unicode whether text may use more than ASCII
     */
    public String render(Report report, boolean unicode) {
        return switch (this) {
            case TEXT -> new TextReport(report, unicode).render();
            case HTML -> HtmlReport.render(report);
            case MD -> MarkdownReport.render(report);
            case CSV -> CsvReport.render(report);
            case SLICES -> SlicesCsv.render(report);
            case SERIES -> SeriesCsv.render(report.snapshot());
            case JSON -> JsonReport.render(report);
            case HGRM -> HdrExport.hgrm(report.snapshot());
            case HLOG -> HdrExport.hlog(report.snapshot());
            case SUMMARY -> MlcommonsSummary.render(report);
            case MLCOMMONS -> MlcommonsText.render(report);
            case VLLM -> VllmReport.render(report);
            case AIPERF -> AiperfReport.json(report);
            case AIPERFCSV -> AiperfReport.csv(report);
        };
    }

    /**
     * What a reader of this format has to know and cannot see in it: figures that are left out because they are not known of
     * successes alone. A line each; mostly none. JSON says it itself too.
     */
    public List<String> notes(Report report) {
        return switch (this) {
            case VLLM, AIPERF, AIPERFCSV -> AiperfReport.notes(report);
            default -> List.of();
        };
    }
}
