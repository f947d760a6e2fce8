package io.metricsaggregator.report.html;

import io.metricsaggregator.analysis.ImportedText;
import io.metricsaggregator.analysis.Notes;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.plot.Plots;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.report.section.Sections;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.time.temporal.ChronoUnit;

/**
 * Renders a report as one HTML file without scripts and external resources, which its content security policy also forbids, so that it works in the
 * viewers of CI systems and on paper. {@link Markup} escapes text of producers.
 */
public final class HtmlReport {
    private static final String FOOTER =
            "Rendered by metrics-aggregator from one snapshot: tables and plots show the same numbers.";

    private final Report report;
    private final MetricsSnapshot snapshot;
    private final PageBody body = new PageBody();

    private HtmlReport(Report report) {
        this.report = report;
        this.snapshot = report.snapshot();
    }

    /** The complete page. */
    public static String render(Report report) {
        return new HtmlReport(report).render();
    }

    private String render() {
        String id = snapshot.extensions().run().runId();
        Plots plots = Plots.of(snapshot);
        verdict();
        if (!plots.overTime().isEmpty()) {
            HtmlPlots.drawings(body.section("Over time"), plots.overTime());
            body.end();
        }
        HtmlQuantities.render(report, body);
        if (!plots.distributions().isEmpty()) {
            HtmlPlots.drawings(body.section("Distributions"), plots.distributions());
            body.end();
        }
        for (Section section : Sections.of(report)) {
            Markup out = body.section(section.title());
            HtmlSections.add(out, section);
            if (section.kind() != null) {
                HtmlPlots.groups(out, plots.of(section.kind()));
            }
            body.end();
        }
        HtmlRecords.errorsAndWorkers(snapshot, body);
        HtmlRecords.machine(snapshot, body);
        HtmlDefinitions.render(report, body.section("Definitions"));
        body.end();
        HtmlRecords.counters(snapshot, body);
        return HtmlPage.render("Run " + id, header(id), body, FOOTER);
    }

    private void verdict() {
        Verdict verdict = Verdict.of(snapshot);
        Markup out = body.section("Verdict");
        HtmlVerdict.summary(out, "", verdict);
        HtmlTiles.render(report, out);
        HtmlVerdict.findings(out, verdict, Finding.Weight.GOOD, Notes.of(report));
        body.end();
    }

    private Markup header(String id) {
        Markup header = new Markup()
                .open("header")
                .open("h1")
                .text("Run ")
                .element("code", id)
                .text(" ");
        String state = snapshot.state().name() + (report.complete() ? "" : ", not complete");
        header.element("span", state, "class", "state " + (report.complete() ? "good" : "bad"))
                .close();
        SnapshotExtensions extensions = snapshot.extensions();
        if (!extensions.isNone()) {
            RunInfo run = extensions.run();
            String source = ImportedText.headline(snapshot);
            if (source != null) {
                header.element("p", source);
            }
            header.element(
                    "p",
                    (run.hasDates()
                                    ? instant(run.startedWallNanos()) + " to " + instant(run.wallNanos())
                                    : "dates unknown")
                            + ", metrics-aggregator "
                            + run.version() + (run.node() == null ? "" : ", on node " + run.node()));
        }
        return header.close();
    }

    private static String instant(long nanos) {
        return EpochNanos.toInstant(nanos).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
