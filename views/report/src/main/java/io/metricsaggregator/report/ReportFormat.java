package io.metricsaggregator.report;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.dialect.AiperfCsv;
import io.metricsaggregator.report.dialect.AiperfJson;
import io.metricsaggregator.report.dialect.CsvReport;
import io.metricsaggregator.report.dialect.Dialect;
import io.metricsaggregator.report.dialect.HgrmReport;
import io.metricsaggregator.report.dialect.HlogReport;
import io.metricsaggregator.report.dialect.JsonReport;
import io.metricsaggregator.report.dialect.JunitXml;
import io.metricsaggregator.report.dialect.LlmdReport;
import io.metricsaggregator.report.dialect.MlcommonsSummary;
import io.metricsaggregator.report.dialect.MlcommonsText;
import io.metricsaggregator.report.dialect.PowerJson;
import io.metricsaggregator.report.dialect.SeriesCsv;
import io.metricsaggregator.report.dialect.SlicesCsv;
import io.metricsaggregator.report.dialect.TokenAccounting;
import io.metricsaggregator.report.dialect.VllmReport;
import io.metricsaggregator.report.html.HtmlReport;
import io.metricsaggregator.report.text.MarkdownReport;
import io.metricsaggregator.report.text.SummaryPage;
import io.metricsaggregator.report.text.TextReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The formats of a report; the only place that chooses a renderer. */
public enum ReportFormat {
    /** The answer in some lines of text. */
    TEXT,
    /** A page of text: every table. */
    FULL,
    /** One HTML file with plots. */
    HTML,
    /** Markdown, for a pull request. */
    MD,
    /** CSV with one row, each column in one unit. */
    CSV,
    /** CSV with one row per time slice. */
    SLICES,
    /** CSV with one row per time bucket and one column per scraped series. */
    SERIES,
    /** JSON that docs/report.schema.json describes. */
    JSON,
    /** Percentile distributions for the plotter of HdrHistogram. */
    HGRM,
    /** A log for the tools of HdrHistogram. */
    HLOG,
    /** {@code result_summary.json} of MLCommons endpoints. */
    SUMMARY,
    /** {@code report.txt} of MLCommons endpoints. */
    MLCOMMONS,
    /** {@code power.json} of MLCommons endpoints. */
    POWER,
    /** The result file of {@code vllm bench serve}. */
    VLLM,
    /** {@code profile_export_aiperf.json} of AIPerf. */
    AIPERF,
    /** {@code profile_export_aiperf.csv} of AIPerf. */
    AIPERFCSV,
    /** A Benchmark Report of llm-d. */
    LLMD,
    /** Tokens as counted and as servers reported them, as JSON. */
    TOKEN_ACCOUNTING,
    /** JUnit XML for CI systems: the checks of the verdict and the objectives as test cases. */
    JUNIT;

    /** So many columns that nothing is wrapped, as in a file. */
    public static final int UNLIMITED = 10_000;

    /**
     * Renders a report.
     *
     * @param unicode whether {@link #TEXT} and {@link #FULL} may use characters beyond ASCII
     */
    public String render(Report report, boolean unicode) {
        return render(report, unicode, UNLIMITED);
    }

    /**
     * As {@link #render(Report, boolean)}.
     *
     * @param width columns of the terminal, which {@link #TEXT} fits, and the tables of {@link #FULL}, which lose columns
     */
    public String render(Report report, boolean unicode, int width) {
        return dialect(unicode, width).render(report);
    }

    /** Why the file holds no data of the run; null if it holds some. */
    public @Nullable String missing(Report report) {
        return dialect(true, UNLIMITED).missing(report);
    }

    /** The reasons why figures are missing from the file, one line each; empty for formats that state them themselves. */
    public List<String> notes(Report report) {
        return dialect(true, UNLIMITED).notes(report);
    }

    private Dialect dialect(boolean unicode, int width) {
        return switch (this) {
            case TEXT -> report -> SummaryPage.render(report, unicode, width);
            case FULL -> report -> new TextReport(report, unicode, width).render();
            case HTML -> HtmlReport::render;
            case MD -> MarkdownReport::render;
            case CSV -> new CsvReport();
            case SLICES -> new SlicesCsv();
            case SERIES -> new SeriesCsv();
            case JSON -> new JsonReport();
            case HGRM -> new HgrmReport();
            case HLOG -> new HlogReport();
            case SUMMARY -> new MlcommonsSummary();
            case MLCOMMONS -> new MlcommonsText();
            case POWER -> new PowerJson();
            case VLLM -> new VllmReport();
            case AIPERF -> new AiperfJson();
            case AIPERFCSV -> new AiperfCsv();
            case LLMD -> new LlmdReport();
            case TOKEN_ACCOUNTING -> new TokenAccounting();
            case JUNIT -> new JunitXml();
        };
    }
}
