package io.metricsaggregator.report.html;

import io.metricsaggregator.analysis.Notes;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.plot.Plots;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.report.section.Sections;
import io.metricsaggregator.report.section.Summary;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/**
 * Renders a report as one HTML file without external resources, which its content security policy also forbids, so that it works in the
 * viewers of CI systems and on paper. {@link Markup} escapes text of producers.
 */
public final class HtmlReport {
    private static final String FOOTER =
            "Rendered by metrics-aggregator from one snapshot: tables and plots show the same numbers.";

    /** Sections that show without being opened, before and behind the plots over time and the table of durations. */
    private static final Set<String> BEFORE_PLOTS = Set.of("Goodput");

    private static final Set<String> AFTER_PLOTS = Set.of("Steady state", "Steady window");

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
        List<Section> sections = Sections.of(report);
        verdict();
        HtmlRecords.errors(snapshot, body);
        open(sections, BEFORE_PLOTS);
        if (!plots.overTime().isEmpty()) {
            HtmlPlots.drawings(body.section("Over time"), plots.overTime());
            body.end();
        }
        HtmlQuantities.render(report, body);
        open(sections, AFTER_PLOTS);
        if (!plots.distributions().isEmpty()) {
            int count = plots.distributions().plots().size();
            HtmlPlots.drawings(
                    body.folded("Distributions", count == 1 ? "1 plot" : count + " plots"), plots.distributions());
            body.endFolded();
        }
        for (Section section : sections) {
            if (!BEFORE_PLOTS.contains(section.title()) && !AFTER_PLOTS.contains(section.title())) {
                Markup out = body.folded(section.title(), section.line());
                HtmlSections.add(out, section);
                if (section.kind() != null) {
                    HtmlPlots.groups(out, plots.of(section.kind()));
                }
                body.endFolded();
            }
        }
        HtmlRecords.rest(snapshot, body);
        HtmlDefinitions.render(report, body.folded("Definitions", "what each figure is"));
        body.endFolded();
        HtmlRecords.counters(snapshot, body);
        String title = Summary.of(report).title();
        return HtmlPage.render(
                (title.isEmpty() ? "Run " + id : title) + ", "
                        + snapshot.state().name(),
                header(id, title),
                body,
                FOOTER);
    }

    /** Sections that show without being opened. */
    private void open(List<Section> sections, Set<String> titles) {
        for (Section section : sections) {
            if (titles.contains(section.title())) {
                HtmlSections.add(body.section(section.title()), section);
                body.end();
            }
        }
    }

    private void verdict() {
        Verdict verdict = Verdict.of(snapshot);
        Markup out = body.section("Verdict");
        HtmlVerdict.summary(out, "", verdict);
        HtmlTiles.render(report, out);
        HtmlVerdict.findings(out, verdict, Finding.Weight.NOTE, Notes.of(report));
        long passed = verdict.findings().stream()
                .filter(each -> !each.weight().isNamed())
                .count();
        out.open("details").element("summary", passed + " checks that passed, or lacked data");
        HtmlVerdict.findings(
                out,
                new Verdict(
                        verdict.validity(),
                        verdict.limit(),
                        verdict.findings().stream()
                                .filter(each -> !each.weight().isNamed())
                                .toList()),
                Finding.Weight.GOOD,
                List.of());
        out.close();
        body.end();
    }

    private Markup header(String id, String title) {
        Markup header = new Markup().open("header").open("h1");
        if (title.isEmpty()) {
            header.text("Run ").element("code", id);
        } else {
            header.text(title);
        }
        header.text(" ");
        String state = snapshot.state().name() + (report.complete() ? "" : ", not complete");
        header.element("span", state, "class", "state " + (report.complete() ? "good" : "bad"))
                .close();
        SnapshotExtensions extensions = snapshot.extensions();
        if (!extensions.isNone()) {
            RunInfo run = extensions.run();
            header.element(
                    "p",
                    "Run " + id + ", "
                            + (run.hasDates()
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
