package io.metricsaggregator.cli.audit;

import io.metricsaggregator.cli.audit.Figure.Verdict;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.journal.Values;
import io.metricsaggregator.synthetic.ServerQuirks;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Compares what a tool claims of one run with what the server did. A pure function of both. */
final class Judge {
    private static final double MILLI = 1e6;
    private static final double TOLERANCE_NANOS = 1e6;
    private static final double TOLERANCE_SHARE = 0.02;
    /** An explanation may be off by this share, if the figure is so much nearer to it. */
    private static final double NEAR_SHARE = 0.05;

    private static final double NEARER = 4;
    /** Percentiles from here on are those that a freeze of a twentieth of the run shows in. */
    private static final double HIGH_PERCENT = 90;

    /** Figures that show a rounding to tens. */
    private static final int ROUNDED_MIN = 5;

    private final ServerQuirks.Usage usage;
    private final ToolClaims claims;
    private final ServedLoad load;
    private final @Nullable Omission omission;
    private final boolean isInterrupted;
    private final ToDoubleFunction<Statistic> noise;

    private Judge(
            ServerQuirks.Usage usage,
            ToolClaims claims,
            ServedLoad load,
            @Nullable Omission omission,
            boolean isInterrupted,
            ToDoubleFunction<Statistic> noise) {
        this.noise = noise;
        this.isInterrupted = isInterrupted;
        this.usage = usage;
        this.claims = claims;
        this.load = load;
        this.omission = omission;
    }

    /**
     * Judges the figures and counts.
     *
     * @param usage what the server reported as usage
     * @param omission of a run with a freeze; null for others, and if the arrivals follow no schedule
     * @param isInterrupted whether the tool was interrupted, so that the client ended some requests
     * @param noise nanoseconds by which the machine may be late without a fault of server or tool, by a statistic
     */
    static List<Figure> figures(
            ServerQuirks.Usage usage,
            ToolClaims claims,
            ServedLoad load,
            @Nullable Omission omission,
            boolean isInterrupted,
            ToDoubleFunction<Statistic> noise) {
        Judge judge = new Judge(usage, claims, load, omission, isInterrupted, noise);
        List<Figure> figures = new ArrayList<>(judge.counts());
        for (ToolCheck each : claims.figures()) {
            Figure figure = judge.figure(each);
            if (figure != null) {
                figures.add(figure);
            }
        }
        return figures;
    }

    private List<Figure> counts() {
        List<Figure> counts = new ArrayList<>();
        Long succeeded = claims.succeeded();
        if (succeeded != null) {
            counts.add(succeeded(succeeded));
        }
        if (!isInterrupted) {
            counts.add(count("requests that failed", (double) claims.failed(), (double) load.failed()));
        }
        return counts;
    }

    private Figure succeeded(long tool) {
        boolean isCut = tool == load.complete().size() && tool < load.answered();
        return !isCut
                ? count("requests that succeeded", (double) tool, (double)
                        load.complete().size())
                : new Figure(
                        "requests that succeeded",
                        "",
                        tool,
                        (double) load.answered(),
                        (double) load.answered(),
                        Verdict.WITHIN,
                        "the others were under way at the end");
    }

    private static Figure count(String name, double tool, double server) {
        Verdict verdict = tool == server ? Verdict.EXACT : Verdict.WRONG;
        return new Figure(name, "", tool, server, server, verdict, "");
    }

    private @Nullable Figure figure(ToolCheck check) {
        Reading.Series series = Reading.of(check.series());
        if (series == null) {
            return null;
        }
        boolean counts = check.statistic() == Statistic.Simple.COUNT;
        double unit = counts ? 1 : check.unit() * series.unit();
        double tool = check.expected() * unit;
        boolean time = !counts && !series.own().isCount();
        Double factor = ServedLoad.usageFactor(usage);
        Double own = factor == null && series.own().needsTokens() && !counts
                ? null
                : load.values(series.own(), factor == null ? 1 : factor).statistic(check.statistic());
        Values byOurs = omission != null && series.own() == Reading.LATENCY
                ? omission.fromSchedule()
                : load.values(series.ours(), 1);
        Double ours = byOurs.statistic(check.statistic());
        double scale = check.statistic() == Statistic.Simple.SUM
                ? Math.max(1, load.complete().size())
                : 1;
        double resolution = time ? unit * Math.pow(10, -decimals(check)) / 2 : 0;
        Verdict verdict = verdict(tool, own == null ? ours : own, time, resolution, scale);
        String note = "";
        if (verdict == Verdict.WRONG && series.own().needsTokens() && own != null && !counts) {
            // A tool that counts the tokens of the text by itself is right where the usage is wrong.
            Verdict bySent = verdict(tool, ours, time, resolution, scale);
            verdict = bySent.compareTo(Verdict.WITHIN) <= 0 ? bySent : verdict;
            note = bySent == verdict && bySent != Verdict.WRONG ? "by the tokens that were sent, not by the usage" : "";
        }
        if (verdict == Verdict.WRONG) {
            double late = noise.applyAsDouble(check.statistic());
            Double truth = own == null ? ours : own;
            boolean isExcused = time && truth != null && series.own().isExcused(tool - truth, late * scale);
            note = explanation(check, series.own(), tool, own == null ? ours : own, resolution, scale);
            // By lateness a figure meets another reading by chance, and chunks that were read together are 0 apart.
            if (isExcused && (tool != 0 || ServerProbe.isExtreme(check.statistic()))) {
                verdict = Verdict.UNKNOWN;
                note = (note.isEmpty() ? "" : note + ", or ")
                        + String.format(Locale.ROOT, "this machine was up to %.1f ms late", late / MILLI);
            } else if (note.isEmpty() && series.own().needsTokens() && !counts && countsByItself()) {
                verdict = Verdict.UNKNOWN;
                note = "the tool counts tokens by itself";
            }
        } else if (own == null && verdict != Verdict.UNKNOWN) {
            note = "without a usage";
        }
        if (note.isEmpty()
                && ours != null
                && verdict.compareTo(Verdict.WITHIN) <= 0
                && verdict(tool, ours, time, resolution, scale) == Verdict.WRONG) {
            note = omission != null && series.own() == Reading.LATENCY
                    ? "timed from the sending, not from the schedule"
                    : "by its own definition; ours is " + series.ours().text();
        }
        return shown(check.name(), time, tool, own, ours, verdict, note);
    }

    /** The figure with times in milliseconds. */
    private static Figure shown(
            String name,
            boolean time,
            double tool,
            @Nullable Double own,
            @Nullable Double ours,
            Verdict verdict,
            String note) {
        double unit = time ? MILLI : 1;
        return new Figure(
                name,
                time ? "ms" : "",
                tool / unit,
                own == null ? null : (Double) (own / unit),
                ours == null ? null : (Double) (ours / unit),
                verdict,
                note);
    }

    /** Decimals of the file; negative for percentiles that are all rounded to tens, as Locust rounds them. */
    private int decimals(ToolCheck of) {
        boolean isSimple = of.statistic() instanceof Statistic.Simple;
        List<Integer> scales = claims.figures().stream()
                .filter(each -> each.series().equals(of.series())
                        && each.statistic() instanceof Statistic.Simple == isSimple
                        && each.statistic() != Statistic.Simple.COUNT)
                .map(each ->
                        BigDecimal.valueOf(each.expected()).stripTrailingZeros().scale())
                .toList();
        int most = scales.stream().max(Integer::compare).orElse(0);
        return scales.size() < ROUNDED_MIN ? Math.max(0, most) : most;
    }

    private static Verdict verdict(
            double tool, @Nullable Double server, boolean isTime, double resolution, double scale) {
        if (server == null) {
            return tool == 0 ? Verdict.EXACT : Verdict.UNKNOWN;
        }
        double difference = Math.abs(tool - server) / scale;
        // Half of the last digit, and a little for the sum of doubles.
        if (difference <= resolution + 1e-9 * Math.abs(server)) {
            return Verdict.EXACT;
        }
        double tolerance = Math.max(TOLERANCE_NANOS, TOLERANCE_SHARE * Math.abs(server) / scale);
        return isTime && difference <= tolerance ? Verdict.WITHIN : Verdict.WRONG;
    }

    /** Whether the tool's own requests have other tokens than the usage that it got. */
    private boolean countsByItself() {
        Double factor = ServedLoad.usageFactor(usage);
        Double server = load.values(Reading.TOKENS_BY_USAGE, factor == null ? 1 : factor)
                .statistic(Statistic.Simple.SUM);
        return !Objects.equals(claims.tokens(), server);
    }

    /** The other reading that a wrong figure agrees with, or is much nearer to; empty if there is none. */
    private String explanation(
            ToolCheck check, Reading own, double tool, @Nullable Double server, double resolution, double scale) {
        if (tool == 0) {
            return "it is 0";
        }
        if (check.statistic() == Statistic.Simple.STD || check.statistic() == Statistic.Simple.COUNT) {
            return "";
        }
        for (Reading each : own.others()) {
            Double value = load.values(each, 1).statistic(check.statistic());
            if (value != null && each != own && explains(tool, value, server, resolution, scale, !each.isCount())) {
                return "it is " + each.text();
            }
        }
        Double all = load.valuesOfAll(own, 1).statistic(check.statistic());
        return load.failed() > 0 && all != null && explains(tool, all, server, resolution, scale, !own.isCount())
                ? "it counts failed requests too"
                : "";
    }

    private static boolean explains(
            double tool, double value, @Nullable Double server, double resolution, double scale, boolean isTime) {
        double difference = Math.abs(tool - value);
        boolean isNear = isTime
                && server != null
                && difference <= NEAR_SHARE * Math.abs(value)
                && difference <= Math.abs(tool - server) / NEARER;
        return isNear || verdict(tool, value, isTime, resolution, scale).compareTo(Verdict.WITHIN) <= 0;
    }

    /**
     * Judges whether the tool omits what it did not send during a freeze.
     *
     * @param figures of {@link #figures}
     * @param omission null if the arrivals follow no schedule
     */
    static Figure coordinatedOmission(List<Figure> figures, List<ToolCheck> claims, @Nullable Omission omission) {
        String name = "coordinated_omission";
        if (omission == null) {
            return new Figure(
                    name,
                    "",
                    0,
                    null,
                    null,
                    Verdict.UNKNOWN,
                    "the arrivals follow no schedule: the tool sends when an answer has come. --rate judges it by one");
        }
        String held = String.format(
                Locale.ROOT,
                "%s during the freeze, %d late at %.1f requests/s",
                omission.isHeldBack() ? "requests were held back" : "requests went on",
                omission.late(),
                1e9 / omission.gapNanos());
        for (ToolCheck claim : omission.isHeldBack() ? claims : List.<ToolCheck>of()) {
            Reading.Series series = Reading.of(claim.series());
            boolean isHigh = claim.statistic() == Statistic.Simple.MAX
                    || (claim.statistic() instanceof Statistic.Linear linear && linear.percent() >= HIGH_PERCENT)
                    || (claim.statistic() instanceof Statistic.FirstReached first && first.percent() >= HIGH_PERCENT);
            Figure figure = figures.stream()
                    .filter(each -> each.name().equals(claim.name()))
                    .findFirst()
                    .orElse(null);
            if (series == null || series.own() != Reading.LATENCY || !isHigh || figure == null) {
                continue;
            }
            Double ours = figure.ours();
            if (ours != null && Math.abs(figure.tool() - ours) > Math.max(1, TOLERANCE_SHARE * ours)) {
                return new Figure(name, "ms", figure.tool(), ours, ours, Verdict.WRONG, figure.name() + "; " + held);
            }
        }
        return new Figure(name, "", omission.late(), (double) omission.late(), null, Verdict.EXACT, held);
    }

    /** Compares the requests behind the first of their conversations. */
    static Figure turns(ToolClaims claims, ServedLoad load) {
        double server = load.laterTurns();
        String note = server == 0
                ? "the tool sent no conversations: add its option for them"
                : claims.laterTurns() == 0 ? "the tool's file names no conversations" : "";
        Verdict verdict =
                !note.isEmpty() ? Verdict.UNKNOWN : claims.laterTurns() == server ? Verdict.EXACT : Verdict.WRONG;
        return new Figure("requests of later turns", "", claims.laterTurns(), server, server, verdict, note);
    }
}
