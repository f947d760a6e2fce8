package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Scraped servers and GPUs in words: what does not answer first. */
final class ScrapeText {
    private static final int ROWS_MAX = 16;

    private ScrapeText() {}

    /** Lines of the run; none if nothing was scraped. */
    static List<String> lines(MetricsSnapshot snapshot) {
        Map<?, ?> scrape = Tree.of(snapshot, "scrape");
        if (scrape.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        targets(lines, Tree.list(scrape.get("targets")));
        Map<?, ?> highlights = Tree.map(scrape.get("highlights"));
        rows(lines, highlights.get("servers"), "server");
        rows(lines, highlights.get("gpus"), "gpu");
        window(lines, Tree.map(scrape.get("last_window")));
        Map<?, ?> counts = Tree.map(scrape.get("counts"));
        List<String> odd = new ArrayList<>();
        for (String each : List.of(
                "samples_late",
                "samples_repeated",
                "samples_invalid",
                "samples_blank",
                "samples_over_limit",
                "bad_lines",
                "samples_left_out",
                "windows_dropped",
                "windows_skipped")) {
            if (counts.get(each) instanceof Long count && count > 0) {
                odd.add(each.replace('_', ' ') + " " + Tree.count(count));
            }
        }
        lines.add(String.format(
                Locale.ROOT,
                "%s series, %s samples%s",
                Tree.count(scrape.get("series")),
                Tree.count(counts.get("samples")),
                odd.isEmpty() ? "" : "; " + String.join(", ", odd)));
        notebook(lines, Tree.map(Tree.map(scrape.get("compat")).get("notebook")));
        return lines;
    }

    private static void targets(List<String> lines, List<?> targets) {
        int answering = 0;
        for (Object each : targets) {
            Map<?, ?> target = Tree.map(each);
            if (Boolean.TRUE.equals(target.get("reachable"))) {
                answering++;
            } else if (lines.size() < ROWS_MAX) {
                lines.add(String.format(
                        Locale.ROOT,
                        "UNREACHABLE %s %s: %s (%s of %s scrapes failed)",
                        Tree.text(target.get("job"), 32),
                        Tree.text(target.get("instance"), 64),
                        Tree.text(target.get("last_error"), 100),
                        Tree.count(target.get("n_failed")),
                        Tree.count(target.get("n_scrapes"))));
            }
        }
        lines.add(answering + " of " + targets.size() + " targets answer");
    }

    private static void rows(List<String> lines, @Nullable Object rows, String what) {
        List<?> all = Tree.list(rows);
        for (Object each : all.subList(0, Math.min(ROWS_MAX, all.size()))) {
            List<String> parts = new ArrayList<>();
            Tree.map(each).forEach((name, value) -> {
                if (!"name".equals(name)) {
                    parts.add(value(String.valueOf(name), Tree.real(value)));
                }
            });
            lines.add(what + " " + Tree.text(Tree.map(each).get("name"), 48) + ": " + String.join(", ", parts));
        }
        if (all.size() > ROWS_MAX) {
            lines.add("and " + (all.size() - ROWS_MAX) + " more of them");
        }
    }

    private static String value(String name, double value) {
        return switch (name) {
            case "kv_cache_usage" -> String.format(Locale.ROOT, "KV cache %.0f %%", 100 * value);
            case "tensor_active" -> String.format(Locale.ROOT, "tensor %.0f %%", 100 * value);
            case "dram_active" -> String.format(Locale.ROOT, "DRAM %.0f %%", 100 * value);
            case "util_ratio" -> String.format(Locale.ROOT, "busy %.0f %%", 100 * value);
            case "util_pct" -> String.format(Locale.ROOT, "busy %.0f %%", value);
            case "power_w" -> String.format(Locale.ROOT, "%.0f W", value);
            case "temp_c" -> String.format(Locale.ROOT, "%.0f °C", value);
            case "memory_used_mib" -> String.format(Locale.ROOT, "%,.0f MiB used", value);
            case "memory_free_mib" -> String.format(Locale.ROOT, "%,.0f MiB free", value);
            default -> Printable.escape(name, 32).replace('_', ' ') + String.format(Locale.ROOT, " %,.0f", value);
        };
    }

    private static void window(List<String> lines, Map<?, ?> window) {
        if (window.isEmpty()) {
            return;
        }
        lines.add(String.format(
                Locale.ROOT,
                "Triton in the last window: %s inferences/s, %s requests/s, %s of %s instances active, %s models to an"
                        + " instance, consistency %s%s",
                Tree.number(window.get("inference_rate"), "%,.2f"),
                Tree.number(window.get("request_rate"), "%,.2f"),
                Tree.count(window.get("instances_active")),
                Tree.count(window.get("instances_observed")),
                Tree.number(window.get("concurrency"), "%.2f"),
                Tree.number(window.get("consistency"), "%.3f"),
                window.get("counter_resets") instanceof Long resets && resets > 0
                        ? ", " + resets + " counters began anew"
                        : ""));
        Tree.map(window.get("models")).forEach((model, each) -> {
            Map<?, ?> one = Tree.map(each);
            if (lines.size() < 3 * ROWS_MAX) {
                lines.add(String.format(
                        Locale.ROOT,
                        "  model %-24s %s requests, µs each: %s, of it queue %s, input %s, inference %s, output %s; batch %s",
                        Tree.text(model, 24),
                        Tree.number(one.get("requests"), "%,.0f"),
                        Tree.number(one.get("req_us_per_request"), "%,.0f"),
                        Tree.number(one.get("que_us_per_request"), "%,.0f"),
                        Tree.number(one.get("inp_us_per_request"), "%,.0f"),
                        Tree.number(one.get("inf_us_per_request"), "%,.0f"),
                        Tree.number(one.get("out_us_per_request"), "%,.0f"),
                        Tree.number(one.get("avg_batch"), "%.2f")));
            }
        });
    }

    private static void notebook(List<String> lines, Map<?, ?> notebook) {
        Map<?, ?> concurrency = Tree.map(notebook.get("concurrency"));
        if (!concurrency.isEmpty()) {
            Map<?, ?> consistency = Tree.map(notebook.get("consistency"));
            lines.add(String.format(
                    Locale.ROOT,
                    "as the notebook computes it: concurrency %s (%s to %s), consistency %s%s",
                    Tree.number(concurrency.get("mean"), "%.3f"),
                    Tree.number(concurrency.get("min"), "%.3f"),
                    Tree.number(concurrency.get("max"), "%.3f"),
                    Tree.number(consistency.get("mean"), "%.3f"),
                    notebook.get("error") instanceof String error
                            ? "; it would have ended with " + Tree.text(error, 80)
                            : ""));
        }
    }
}
