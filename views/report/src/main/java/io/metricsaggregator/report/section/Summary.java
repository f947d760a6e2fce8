package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.GoodputText;
import io.metricsaggregator.analysis.ImportedText;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SampleCounts;
import io.metricsaggregator.analysis.Throughput;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a run, with which every report begins: what ran, whether its figures can be relied on, and the figures that people ask for first. Text of
 * producers is printable.
 *
 * @param title the labels of the run, the tool that recorded it if another one did, and how it was recomputed; empty without any
 * @param identity id, node, start and duration
 * @param verdict state and verdict
 * @param reasons at most three findings against the run, or else notes, the worst first
 * @param furtherReasons number of findings that would follow
 * @param samples what became of the samples, with shares of those issued
 * @param rates requests and output tokens a second
 * @param durations time to first token, time per output token and latency, those that were measured; of successes
 * @param objectives whether the objectives are met; null without objectives
 * @param areObjectivesMissed whether the target share is missed
 * @param limit what limited the run, and why
 * @param telemetry the first line of each telemetry section of a run without samples; empty for any other
 */
public record Summary(
        String title,
        String identity,
        String verdict,
        List<String> reasons,
        int furtherReasons,
        String samples,
        String rates,
        List<Row> durations,
        @Nullable String objectives,
        boolean areObjectivesMissed,
        String limit,
        List<String> telemetry) {
    private static final int REASONS_MAX = 3;
    private static final int TEXT_MAX = 400;
    private static final int LABELS_MAX = 8;
    /** The first of them that was measured is the time per output token. */
    private static final List<SeriesName> PER_TOKEN =
            List.of(SeriesName.TPOT_NS, SeriesName.TPOT_BY_OSL_NS, SeriesName.USAGE_TPOT_NS, SeriesName.CHUNK_DELTA_NS);

    public Summary {
        reasons = List.copyOf(reasons);
        durations = List.copyOf(durations);
        telemetry = List.copyOf(telemetry);
    }

    /** A row of the table of durations. */
    public record Row(String name, SeriesMetric series) {}

    /** The summary of a report. */
    public static Summary of(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        Verdict verdict = Verdict.of(snapshot);
        List<Finding> named =
                verdict.findings().stream().filter(Summary::isReason).toList();
        Goodput goodput = snapshot.extensions().goodput();
        List<Section> telemetry =
                snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED) > 0 ? List.of() : TelemetrySections.of(snapshot);
        return new Summary(
                title(snapshot),
                identity(snapshot),
                String.format(
                        Locale.ROOT,
                        "%s, state %s%s",
                        verdict.validity(),
                        snapshot.state().wireName().toUpperCase(Locale.ROOT),
                        report.complete() ? "" : " (not complete)"),
                named.stream().limit(REASONS_MAX).map(Summary::text).toList(),
                Math.max(0, named.size() - REASONS_MAX),
                samples(snapshot),
                rates(report),
                durations(snapshot),
                goodput == null ? null : objectives(report, goodput),
                goodput != null && goodput.judged() > 0 && goodput.budgetLeft() < 0,
                limit(verdict),
                telemetry.stream().map(Summary::first).filter(Objects::nonNull).toList());
    }

    /** Objectives have a line of their own. */
    private static boolean isReason(Finding finding) {
        return finding.weight().isNamed() && !finding.what().equals(Verdict.OBJECTIVES);
    }

    private static String text(Finding finding) {
        return Printable.escape(finding.what() + ": " + finding.evidence(), TEXT_MAX);
    }

    private static @Nullable String first(Section section) {
        return section.blocks().stream()
                .flatMap(each ->
                        each.as(line -> Stream.of(section.title() + ": " + line.text()), table -> Stream.empty()))
                .findFirst()
                .orElse(null);
    }

    /** What ran: {@link #title}. */
    public static String title(MetricsSnapshot snapshot) {
        String source = ImportedText.headline(snapshot);
        RunInfo run = snapshot.extensions().run();
        List<String> labels = new ArrayList<>();
        for (Map.Entry<String, String> each : run.labels().entrySet()) {
            if (labels.size() < LABELS_MAX) {
                labels.add(Printable.escape(
                        each.getKey().equals("model") ? each.getValue() : each.getKey() + " " + each.getValue(), 64));
            }
        }
        if (source != null) {
            labels.add(source);
        }
        if (!run.recomputed().isEmpty()) {
            labels.add(Printable.escape(String.join("; ", run.recomputed()), TEXT_MAX));
        }
        return String.join(", ", labels);
    }

    private static String identity(MetricsSnapshot snapshot) {
        RunInfo run = snapshot.extensions().run();
        if (run.runId().isEmpty()) {
            return "without an id";
        }
        String dates = run.hasDates()
                ? EpochNanos.toInstant(run.startedWallNanos()).truncatedTo(ChronoUnit.SECONDS)
                        + ", "
                        + Figures.duration(nanos(snapshot))
                : "dates unknown";
        return "id "
                + Printable.escape(run.runId(), 64)
                + (run.node() == null ? "" : " on " + Printable.escape(run.node(), 64))
                + ", " + dates;
    }

    /** How long the session took, by its events; without one how long the daemon ran. */
    private static long nanos(MetricsSnapshot snapshot) {
        RunInfo run = snapshot.extensions().run();
        long session = snapshot.counter(CounterName.TOTAL_DURATION_NS);
        return session > 0 ? session : Math.max(0, run.wallNanos() - run.startedWallNanos());
    }

    private static String samples(MetricsSnapshot snapshot) {
        SampleCounts counts = SampleCounts.of(snapshot);
        return String.format(
                Locale.ROOT,
                "issued %s, %s%s, failed %s%s, in flight %,d%s",
                SampleCounts.text(counts.issued()),
                counts.completed(snapshot),
                share(counts.succeeded(), counts.issued()),
                SampleCounts.text(counts.failed()),
                share(counts.failed(), counts.issued()),
                counts.inFlight(),
                counts.evicted() == 0 ? "" : String.format(Locale.ROOT, ", evicted %,d", counts.evicted()));
    }

    private static String share(@Nullable Long part, @Nullable Long whole) {
        return part == null || whole == null || whole == 0 ? "" : " (" + Figures.share(part, whole) + ")";
    }

    private static String rates(Report report) {
        Throughput rates = report.throughput();
        if (rates == null) {
            String tool = ImportedText.toolRate(report.snapshot());
            return tool != null
                    ? tool
                    : ImportedText.hasTimeline(report.snapshot())
                            ? "unknown: no tracked window with a completed sample"
                            : "unknown: the imported file has no issue times";
        }
        String tokens = report.tokensIncomplete()
                ? String.format(
                        Locale.ROOT,
                        ", output tokens/s incomplete: %,d texts not counted",
                        report.snapshot().pendingTasks())
                : report.tokenRate() == null ? "" : ", " + report.tokenRate() + " output tokens/s";
        return Figures.rate(rates.requestsPerSecond()) + " requests/s" + tokens + ", over "
                + Figures.duration(rates.nanos());
    }

    private static List<Row> durations(MetricsSnapshot snapshot) {
        List<Row> rows = new ArrayList<>();
        add(rows, Quantity.leading(SeriesName.SUCCEEDED_TTFT_NS, snapshot), snapshot);
        for (SeriesName each : PER_TOKEN) {
            if (rows.size() < 2 && add(rows, new Quantity(each), snapshot)) {
                break;
            }
        }
        add(rows, Quantity.leading(SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS, snapshot), snapshot);
        return rows;
    }

    private static boolean add(List<Row> rows, Quantity quantity, MetricsSnapshot snapshot) {
        SeriesMetric measured = quantity.measured(snapshot);
        if (measured != null) {
            rows.add(new Row(quantity.title(snapshot), measured));
        }
        return measured != null;
    }

    private static String objectives(Report report, Goodput goodput) {
        return String.format(
                Locale.ROOT,
                "%s; %s of %,d are good%s (%s)",
                GoodputText.target(goodput),
                Figures.share(goodput.share()),
                goodput.judged(),
                report.goodPerSecond() == null ? "" : ", " + Figures.rate(report.goodPerSecond()) + " a second",
                GoodputText.limits(goodput));
    }

    private static String limit(Verdict verdict) {
        String why = verdict.findings().stream()
                .filter(each -> each.weight().isAgainst() && each.limit() == verdict.limit())
                .map(each -> ": " + Printable.escape(each.evidence(), TEXT_MAX))
                .findFirst()
                .orElse("");
        return verdict.limit() == Finding.Limit.UNKNOWN ? verdict.factor() : verdict.factor() + why;
    }
}
