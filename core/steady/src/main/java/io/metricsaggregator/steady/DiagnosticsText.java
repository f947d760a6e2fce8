package io.metricsaggregator.steady;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The diagnostics in the words of MLCommons' tool, character by character: the content of {@code steady_state.txt}. */
public final class DiagnosticsText {
    private static final List<String> BOUNDS = List.of("0.03", "0.05", "0.08");

    private final List<String> lines = new ArrayList<>();

    private DiagnosticsText() {}

    /**
     * Renders the text, which ends with a line feed.
     *
     * @param tree result of {@link SuperPassDiagnostics#tree}
     */
    public static String of(Map<String, @Nullable Object> tree) {
        DiagnosticsText text = new DiagnosticsText();
        text.line(
                "super-passes: %s (size %s, warmup %s [%s], post-warmup %s)",
                tree.get("n_super_passes"),
                tree.get("superpass_size"),
                tree.get("warmup"),
                tree.get("warmup_mode"),
                tree.get("n_post_warmup"));
        text.lines.add("");
        text.headline(map(tree.get("steady_state")));
        text.lines.add("");
        text.lines.add("--- diagnostics (per window size) ---");
        for (Object window : map(tree.get("cov")).keySet()) {
            text.lines.add("");
            text.line("=== window size %s ===", window);
            text.lines.add("");
            text.cov(window, map(map(tree.get("cov")).get(window)));
            text.lines.add("");
            text.drift(map(map(tree.get("drift")).get(window)));
        }
        return String.join("\n", text.lines) + "\n";
    }

    private void headline(Map<?, ?> steady) {
        lines.add("=== STEADY STATE (headline) ===");
        if (Boolean.TRUE.equals(steady.get("found"))) {
            window(steady);
        } else {
            line("  not found: %s", steady.get("reason"));
        }
        List<?> drifting = (List<?>) Objects.requireNonNull(steady.get("drifting_up"));
        if (!drifting.isEmpty()) {
            line(
                    "  WARNING: %s drifting UP over the rest of the run -- the window is a local plateau; global steady state is"
                            + " questionable",
                    drifting.stream().map(String::valueOf).collect(Collectors.joining(", ")));
        }
        Map<?, ?> anomaly = map(steady.get("anomaly"));
        if (Boolean.TRUE.equals(anomaly.get("detected"))) {
            double delta = number(anomaly.get("delta_pct"));
            line(
                    "  ANOMALY: level shift at super-pass %s, TPOT %s%% toward end of run (likely degradation)",
                    anomaly.get("change_point_sp"), (delta < 0 ? "" : "+") + fixed(delta, 1));
        }
    }

    private void window(Map<?, ?> steady) {
        Map<?, ?> window = map(steady.get("window"));
        line(
                "  window: super-passes %s..%d (post-warmup), %s samples",
                window.get("sp_lo"), (long) number(window.get("sp_hi")) - 1, window.get("n_samples"));
        if (number(window.get("skipped_short")) > 0) {
            line(
                    "  note: skipped %s earlier plateau(s) below min-duration; reporting plateau %d of %s",
                    window.get("skipped_short"),
                    (long) number(window.get("plateau_index")) + 1,
                    window.get("n_plateaus"));
        }
        Map<?, ?> tps = map(steady.get("tps"));
        rate("  TPS per-user: %8s tok/s/user  CI [%s, %s]", tps.get("per_user"), tps.get("per_user_ci"));
        rate("  TPS system:   %8s tok/s        CI [%s, %s]", tps.get("system"), tps.get("system_ci"));
        for (String name : List.of("ttft", "tpot")) {
            if (steady.get(name) != null) {
                Map<?, ?> values = map(steady.get(name));
                line(
                        "  %s p50 %s  p90 %s  p99 %s  mean %s",
                        name.toUpperCase(Locale.ROOT),
                        millis(values.get("p50")),
                        millis(values.get("p90")),
                        millis(values.get("p99")),
                        millis(values.get("mean")));
            }
        }
    }

    private void rate(String format, @Nullable Object value, @Nullable Object interval) {
        List<?> bounds = (List<?>) Objects.requireNonNull(interval);
        line(format, fixed(number(value), 1), fixed(number(bounds.get(0)), 1), fixed(number(bounds.get(1)), 1));
    }

    private void cov(Object window, Map<?, ?> cells) {
        line("CoV steadiness (trailing %s super-passes)", window);
        line(
                "  %-12s %-5s %8s   %s",
                "metric",
                "gate",
                "CoV",
                BOUNDS.stream().map(each -> "cov<=" + each).collect(Collectors.joining("  ")));
        cells.forEach((metric, value) -> {
            Map<?, ?> cell = map(value);
            Map<?, ?> passes = map(cell.get("passes"));
            Object cov = cell.get("cov");
            line(
                    "  %-12s %-5s %8s   %s",
                    metric,
                    Boolean.TRUE.equals(cell.get("gated")) ? "gate" : "diag",
                    cov == null ? "n/a" : fixed(number(cov), 4),
                    BOUNDS.stream()
                            .map(bound -> String.format(Locale.ROOT, "%7s", pass(passes.get(bound))))
                            .collect(Collectors.joining("  ")));
        });
    }

    private static String pass(@Nullable Object passes) {
        return passes == null ? "n/a" : Boolean.TRUE.equals(passes) ? "PASS" : "fail";
    }

    private void drift(Map<?, ?> metrics) {
        lines.add("drift (whole-run trend per metric; rolling scan is in --json)");
        boolean[] titled = {false};
        metrics.forEach((metric, value) -> {
            Map<?, ?> verdicts = map(map(value).get("whole_run"));
            if (!titled[0]) {
                titled[0] = true;
                line("  %-12s %s", "metric", columns(List.copyOf(verdicts.keySet())));
            }
            line(
                    "  %-12s %s",
                    metric,
                    columns(verdicts.values().stream()
                            .map(DiagnosticsText::glyph)
                            .toList()));
        });
    }

    private static String columns(List<?> cells) {
        return cells.stream()
                .map(each -> String.format(Locale.ROOT, "%16s", each))
                .collect(Collectors.joining("  "));
    }

    private static String glyph(@Nullable Object verdict) {
        return switch (String.valueOf(verdict)) {
            case "up" -> "^ up";
            case "down" -> "v down";
            case "steady" -> "= steady";
            default -> ". n/a";
        };
    }

    private void line(String format, @Nullable Object... values) {
        lines.add(String.format(Locale.ROOT, format, values));
    }

    private static String millis(@Nullable Object nanos) {
        return fixed(number(nanos) / 1e6, 2) + "ms";
    }

    /** The exact binary value to that many decimals, ties to even: C's rule, which {@code String.format} does not follow. */
    private static String fixed(double value, int decimals) {
        String text =
                new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
        return value < 0 && !text.startsWith("-") ? "-" + text : text;
    }

    private static double number(@Nullable Object value) {
        return ((Number) Objects.requireNonNull(value)).doubleValue();
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return (Map<?, ?>) Objects.requireNonNull(value);
    }
}
