package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Jobs;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Jobs of agents: how many there are, what their time went to, and their tools and agents by name. */
final class JobSection {
    private static final int NAME_MAX = 24;

    private JobSection() {}

    /** Lines and a table; null for a run without jobs. */
    static @Nullable Section of(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        Jobs jobs = snapshot.extensions().optional().jobs();
        if (jobs == null) {
            return null;
        }
        List<Section.Block> blocks = new ArrayList<>();
        line(
                blocks,
                "%,d jobs completed, %,d failed, %,d unfinished, %,d open%s%s",
                jobs.completed(),
                jobs.failed(),
                jobs.unfinished(),
                jobs.open(),
                rate(jobs.perHourAndUser(), "jobs/h/user"),
                rate(report.jobsPerHourAndGpu(), "jobs/h/GPU in the steady window"));
        Double parallelism = jobs.parallelism();
        if (jobs.path().nanos() > 0) {
            line(
                    blocks,
                    "waited on: LLM %s, tools %s, client %s of the critical path; at most %,d waited for one%s",
                    Figures.share(jobs.path().llmNanos(), jobs.path().nanos()),
                    Figures.share(jobs.path().toolNanos(), jobs.path().nanos()),
                    Figures.share(jobs.path().waitNanos(), jobs.path().nanos()),
                    jobs.fanOut(),
                    parallelism == null ? "" : String.format(Locale.ROOT, "; parallelism %.3f", parallelism));
        }
        for (CounterName each : EnumSet.range(CounterName.JOB_KEYS_REJECTED, CounterName.JOB_PARENTS_UNKNOWN)) {
            if (snapshot.counter(each) > 0) {
                line(blocks, "%s %,d: %s", each.wire(), snapshot.counter(each), each.meaning());
            }
        }
        List<List<String>> rows = new ArrayList<>();
        jobs.tools().forEach(each -> rows.add(row("tool ", each)));
        jobs.agents().forEach(each -> rows.add(row("agent ", each)));
        if (!rows.isEmpty()) {
            blocks.add(Section.Table.ofNumbers(List.of("Tool or agent", "calls", "failed", "≈p50", "≈p99"), rows));
        }
        return new Section("Jobs", "Jobs", blocks);
    }

    private static String rate(@Nullable Double perHour, String what) {
        return perHour == null ? "" : String.format(Locale.ROOT, "; %,.1f %s", perHour, what);
    }

    private static void line(List<Section.Block> blocks, String format, @Nullable Object... values) {
        blocks.add(new Section.Line(String.format(Locale.ROOT, format, values)));
    }

    private static List<String> row(String kind, Jobs.Calls calls) {
        Long p50 = calls.percentile(50);
        Long p99 = calls.percentile(99);
        return List.of(
                kind + Printable.escape(calls.name(), NAME_MAX),
                Figures.count((double) calls.count()),
                Figures.count((double) calls.failed()),
                p50 == null ? "-" : Figures.duration(p50.longValue()),
                p99 == null ? "-" : Figures.duration(p99.longValue()));
    }
}
