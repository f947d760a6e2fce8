package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.ScrapeCount;
import io.metricsaggregator.snapshot.telemetry.ScrapeHighlight;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import io.metricsaggregator.snapshot.telemetry.ScrapeWindow;
import io.metricsaggregator.snapshot.telemetry.TritonSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Scraped servers and GPUs as text, unreachable targets first. */
final class ScrapeText {
    private static final int ROWS_MAX = 16;
    /** Shown when they are not zero, under their own names. */
    private static final List<ScrapeCount> DISCARDED = List.of(
            ScrapeCount.SAMPLES_LATE,
            ScrapeCount.SAMPLES_REPEATED,
            ScrapeCount.SAMPLES_INVALID,
            ScrapeCount.SAMPLES_BLANK,
            ScrapeCount.SAMPLES_OVER_LIMIT,
            ScrapeCount.BAD_LINES,
            ScrapeCount.SAMPLES_LEFT_OUT,
            ScrapeCount.WINDOWS_DROPPED,
            ScrapeCount.WINDOWS_SKIPPED,
            ScrapeCount.SERVER_LEVELS_LEFT_OUT);

    private ScrapeText() {}

    /** Lines of the run; empty if nothing was scraped. */
    static List<String> lines(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        ScrapeSnapshot scrape =
                extensions == null ? null : extensions.telemetry().scrape();
        if (scrape == null) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        targets(lines, scrape.targets());
        rows(lines, scrape.servers(), "server");
        rows(lines, scrape.gpus(), "gpu");
        TritonSnapshot triton = scrape.triton();
        if (triton != null && triton.last() != null) {
            window(lines, triton.last().window());
        }
        List<String> odd = new ArrayList<>();
        for (ScrapeCount each : DISCARDED) {
            if (scrape.count(each) > 0) {
                odd.add(each.wireName().replace('_', ' ') + " " + Tree.count(scrape.count(each)));
            }
        }
        lines.add(String.format(
                Locale.ROOT,
                "%s series, %s samples%s",
                Tree.count(scrape.series()),
                Tree.count(scrape.count(ScrapeCount.SAMPLES)),
                odd.isEmpty() ? "" : "; " + String.join(", ", odd)));
        if (triton != null && triton.notebook() != null) {
            notebook(lines, triton.notebook().frame());
        }
        return lines;
    }

    private static void targets(List<String> lines, List<ScrapeSnapshot.Target> targets) {
        int answering = 0;
        for (ScrapeSnapshot.Target target : targets) {
            if (target.reachable()) {
                answering++;
            } else if (lines.size() < ROWS_MAX) {
                lines.add(String.format(
                        Locale.ROOT,
                        "UNREACHABLE %s %s: %s (%s of %s scrapes failed)",
                        Tree.text(target.job(), 32),
                        Tree.text(target.instance(), 64),
                        Tree.text(target.lastError(), 100),
                        Tree.count(target.failed()),
                        Tree.count(target.scrapes())));
            }
        }
        lines.add(answering + " of " + targets.size() + " targets answer");
    }

    private static void rows(List<String> lines, List<ScrapeHighlight> all, String what) {
        for (ScrapeHighlight each : all.subList(0, Math.min(ROWS_MAX, all.size()))) {
            List<String> parts = new ArrayList<>();
            each.figures().forEach((figure, value) -> parts.add(value(figure, value)));
            lines.add(what + " " + Tree.text(each.name(), 48) + ": " + String.join(", ", parts));
        }
        if (all.size() > ROWS_MAX) {
            lines.add("and " + (all.size() - ROWS_MAX) + " more of them");
        }
    }

    private static String value(ScrapeHighlight.Figure figure, double value) {
        return switch (figure) {
            case KV_CACHE_USAGE -> String.format(Locale.ROOT, "KV cache %.0f %%", 100 * value);
            case TENSOR_ACTIVE -> String.format(Locale.ROOT, "tensor %.0f %%", 100 * value);
            case DRAM_ACTIVE -> String.format(Locale.ROOT, "DRAM %.0f %%", 100 * value);
            case UTILIZATION_RATIO -> String.format(Locale.ROOT, "busy %.0f %%", 100 * value);
            case UTILIZATION_PERCENT -> String.format(Locale.ROOT, "busy %.0f %%", value);
            case POWER_WATTS -> String.format(Locale.ROOT, "%.0f W", value);
            case TEMPERATURE_CELSIUS -> String.format(Locale.ROOT, "%.0f °C", value);
            case MEMORY_USED_MIB -> String.format(Locale.ROOT, "%,.0f MiB used", value);
            case MEMORY_FREE_MIB -> String.format(Locale.ROOT, "%,.0f MiB free", value);
            case RUNNING, WAITING, PREEMPTIONS, GENERATION_TOKENS, PROMPT_TOKENS, PENDING, REQUESTS, FAILURES ->
                figure.wireName().replace('_', ' ') + String.format(Locale.ROOT, " %,.0f", value);
        };
    }

    private static void window(List<String> lines, ScrapeWindow window) {
        lines.add(String.format(
                Locale.ROOT,
                "Triton in the last window: %s inferences/s, %s requests/s, %s of %s instances active, %s models to an"
                        + " instance, consistency %s%s",
                Tree.number(window.inferenceRate(), "%,.2f"),
                Tree.number(window.requestRate(), "%,.2f"),
                Tree.count(window.instancesActive()),
                Tree.count(window.instancesObserved()),
                Tree.number(window.concurrency(), "%.2f"),
                Tree.number(window.consistency(), "%.3f"),
                window.counterResets() > 0 ? ", " + window.counterResets() + " counters began anew" : ""));
        window.models().forEach((model, one) -> {
            if (lines.size() < 3 * ROWS_MAX) {
                ScrapeWindow.RequestTimes times = one.times();
                lines.add(String.format(
                        Locale.ROOT,
                        "  model %-24s %s requests, µs each: %s, of it queue %s, input %s, inference %s, output %s; batch %s",
                        Tree.text(model, 24),
                        Tree.number(one.requests(), "%,.0f"),
                        Tree.number(times.requestMicros(), "%,.0f"),
                        Tree.number(times.queueMicros(), "%,.0f"),
                        Tree.number(times.inputMicros(), "%,.0f"),
                        Tree.number(times.inferenceMicros(), "%,.0f"),
                        Tree.number(times.outputMicros(), "%,.0f"),
                        Tree.number(one.batch(), "%.2f")));
            }
        });
    }

    private static void notebook(List<String> lines, TritonSnapshot.Frame notebook) {
        TritonSnapshot.Spread concurrency = notebook.concurrency();
        if (concurrency != null) {
            TritonSnapshot.Spread consistency = notebook.consistency();
            lines.add(String.format(
                    Locale.ROOT,
                    "as the notebook computes it: concurrency %s (%s to %s), consistency %s%s",
                    Tree.number(concurrency.mean(), "%.3f"),
                    Tree.number(concurrency.min(), "%.3f"),
                    Tree.number(concurrency.max(), "%.3f"),
                    Tree.number(consistency == null ? null : consistency.mean(), "%.3f"),
                    notebook.error() == null ? "" : "; it would have ended with " + Tree.text(notebook.error(), 80)));
        }
    }
}
