package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import io.metricsaggregator.snapshot.telemetry.server.ServerPanel;
import io.metricsaggregator.snapshot.telemetry.server.ServerRatio;
import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rows of the table of servers, in its order: a title, and the figure of a span as text. */
enum ServerRow {
    RUNNING("running", ServerRole.RUNNING),
    WAITING("waiting", ServerRole.WAITING),
    REASONS("waiting for", ServerRole.WAITING_BY_REASON),
    KV_USAGE("KV cache", ServerRole.KV_USAGE),
    PREEMPTIONS("preemptions", ServerRole.PREEMPTIONS),
    PROMPT("prompt tokens", ServerRole.PROMPT_TOKENS),
    OUTPUT("output tokens", ServerRole.OUTPUT_TOKENS),
    CACHED("cached prompt tokens", ServerRole.CACHED_PROMPT_TOKENS),
    SOURCES("prompt tokens by source", ServerRole.PROMPT_TOKENS_BY_SOURCE),
    HITS("prefix hits", null),
    EXTERNAL_HITS("prefix hits elsewhere", null),
    ACCEPTANCE("draft tokens accepted", null),
    ACCEPTANCE_LENGTH("tokens per draft", null),
    POSITIONS("accepted by position", null),
    QUEUE("queue", ServerRole.QUEUE),
    PREFILL("prefill", ServerRole.PREFILL),
    DECODE("decode", ServerRole.DECODE),
    TTFT("TTFT", ServerRole.TTFT),
    TTFT_GAP("client's TTFT is longer by", null),
    ITL("between tokens", ServerRole.ITL),
    E2E("request", ServerRole.E2E),
    E2E_GAP("client's latency is longer by", null),
    DONE("requests done", ServerRole.DONE),
    ABORTED("requests aborted", ServerRole.ABORTED),
    KV_TRANSFER("KV transfer", ServerRole.KV_TRANSFER),
    KV_SPEED("KV transfer, GB/s", ServerRole.KV_TRANSFER_SPEED),
    KV_ONBOARD("KV bytes to the GPU", ServerRole.KV_ONBOARD_BYTES),
    KV_OFFLOAD("KV bytes to the host", ServerRole.KV_OFFLOAD_BYTES),
    KV_BLOCKS("KV blocks moved", ServerRole.KV_BLOCKS),
    KV_MATCHED("KV tokens matched", ServerRole.KV_MATCHED_TOKENS),
    ITERATION_TOKENS("tokens per step", ServerRole.ITERATION_TOKENS),
    ITERATION("time of a step", ServerRole.ITERATION),
    UTILIZATION("utilization", ServerRole.UTILIZATION),
    OCCUPANCY("forward occupancy", ServerRole.FORWARD_OCCUPANCY),
    MIGRATIONS("migrations", ServerRole.MIGRATIONS);

    private static final int PART_MAX = 32;
    private static final String NONE = "-";

    private final String title;
    private final @Nullable ServerRole role;

    ServerRow(String title, @Nullable ServerRole role) {
        this.title = title;
        this.role = role;
    }

    String title() {
        return title;
    }

    /** The figure of a span; {@code -} if the servers do not expose it. */
    String cell(ServerSnapshot.Figures figures) {
        ServerPanel panel = figures.panel();
        if (role != null) {
            return figure(role, panel);
        }
        Double length = panel.ratio(ServerRatio.ACCEPTANCE_LENGTH);
        return switch (this) {
            case HITS -> hits(panel);
            case EXTERNAL_HITS -> percent(panel.ratio(ServerRatio.EXTERNAL_PREFIX_HITS));
            case ACCEPTANCE -> percent(panel.ratio(ServerRatio.ACCEPTANCE));
            case ACCEPTANCE_LENGTH -> length == null ? NONE : String.format(Locale.ROOT, "%.2f", length);
            case POSITIONS -> positions(panel);
            case TTFT_GAP -> gap(figures.ttftGapNanos());
            case E2E_GAP -> gap(figures.e2eGapNanos());
            default -> NONE;
        };
    }

    private static String positions(ServerPanel panel) {
        List<String> shares = panel.acceptedByPosition().stream()
                .map(each -> String.format(Locale.ROOT, "%.0f%%", 100 * each))
                .toList();
        return shares.isEmpty() ? NONE : String.join(" ", shares);
    }

    private static String gap(@Nullable Double nanos) {
        return nanos == null ? NONE : Figures.duration(nanos);
    }

    private static String figure(ServerRole role, ServerPanel panel) {
        if (!panel.parts(role).isEmpty()) {
            List<String> parts = new ArrayList<>();
            panel.parts(role).forEach((part, each) -> parts.add(Printable.escape(part, PART_MAX) + " " + brief(each)));
            return String.join(", ", parts);
        }
        ServerFigure figure = panel.figures().get(role);
        if (figure instanceof ServerFigure.Growth growth) {
            return Figures.count(growth.total());
        }
        if (figure instanceof ServerFigure.Level level) {
            return level(role, panel, level);
        }
        return figure instanceof ServerFigure.Distribution values ? distribution(role, values) : NONE;
    }

    private static String brief(ServerFigure figure) {
        if (figure instanceof ServerFigure.Growth growth) {
            return Figures.count(growth.total());
        }
        return figure instanceof ServerFigure.Level level ? String.format(Locale.ROOT, "%,.1f", level.mean()) : NONE;
    }

    private static String level(ServerRole role, ServerPanel panel, ServerFigure.Level level) {
        boolean share =
                role == ServerRole.KV_USAGE || role == ServerRole.UTILIZATION || role == ServerRole.FORWARD_OCCUPANCY;
        if (role.isTime()) {
            return "mean " + Figures.duration(1e9 * level.mean()) + ", max " + Figures.duration(1e9 * level.max());
        }
        String text = share
                ? "mean " + percent(level.mean()) + ", max " + percent(level.max())
                : String.format(Locale.ROOT, "mean %,.1f, max %s", level.mean(), Figures.count(level.max()));
        Double scrapes = role == ServerRole.WAITING ? panel.ratio(ServerRatio.WAITING_SCRAPES) : null;
        return scrapes == null ? text : text + ", in " + percent(scrapes) + " of scrapes";
    }

    private static String distribution(ServerRole role, ServerFigure.Distribution values) {
        if (values.count() == 0) {
            return "none";
        }
        return percentile(role, Percentile.P50, values.p50(), values)
                + percentile(role, Percentile.P90, values.p90(), values)
                + percentile(role, Percentile.P99, values.p99(), values)
                + "mean " + value(role, values.mean(), false);
    }

    private static String percentile(
            ServerRole role, Percentile percentile, @Nullable Double value, ServerFigure.Distribution of) {
        boolean over = of.over().contains(percentile.label());
        return PercentileText.ESTIMATE + percentile.label() + " "
                + PercentileText.of(value, percentile.percent(), (long) of.count(), each -> value(role, each, over))
                + ", ";
    }

    private static String value(ServerRole role, @Nullable Double value, boolean over) {
        if (value == null) {
            return NONE;
        }
        return (over ? "> " : "")
                + (role.isTime() ? Figures.duration(1e9 * value) : Figures.count(Math.rint(10 * value) / 10));
    }

    /** The prefix hit ratio, with ≈ if lookups and not tokens are counted. */
    static String hits(ServerPanel panel) {
        Double hits = panel.ratio(ServerRatio.PREFIX_HITS);
        return hits == null ? NONE : (panel.isPrefixHitApproximate() ? "≈ " : "") + percent(hits);
    }

    /** A share from 0 to 1 in percent; {@code -} for null. */
    static String percent(@Nullable Double share) {
        return share == null ? NONE : String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }
}
