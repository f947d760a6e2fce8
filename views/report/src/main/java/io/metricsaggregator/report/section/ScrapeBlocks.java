package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.ScrapeCount;
import io.metricsaggregator.snapshot.telemetry.ScrapeHighlight;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import io.metricsaggregator.snapshot.telemetry.server.ScrapeWindow;
import io.metricsaggregator.snapshot.telemetry.server.TritonSnapshot;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Scraped servers and GPUs, unreachable targets first. */
final class ScrapeBlocks {
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

    private ScrapeBlocks() {}

    /** The blocks of the run; empty if nothing was scraped. */
    static List<Section.Block> of(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        ScrapeSnapshot scrape = extensions.telemetry().scrape();
        if (scrape == null) {
            return List.of();
        }
        List<Section.Block> blocks = new ArrayList<>();
        targets(blocks, scrape.targets());
        highlights(blocks, scrape.servers(), "server");
        highlights(blocks, scrape.gpus(), "GPU");
        highlights(blocks, scrape.hosts(), "host");
        TritonSnapshot triton = scrape.triton();
        if (triton != null && triton.last() != null) {
            window(blocks, triton.last().window());
        }
        List<String> odd = new ArrayList<>();
        for (ScrapeCount each : DISCARDED) {
            if (scrape.count(each) > 0) {
                odd.add(each.wireName().replace('_', ' ') + " " + Tree.count(scrape.count(each)));
            }
        }
        blocks.add(new Section.Line(String.format(
                Locale.ROOT,
                "%s series, %s samples%s",
                Tree.count(scrape.series()),
                Tree.count(scrape.count(ScrapeCount.SAMPLES)),
                odd.isEmpty() ? "" : "; " + String.join(", ", odd))));
        if (triton != null && triton.notebook() != null) {
            notebook(blocks, triton.notebook().frame());
        }
        return blocks;
    }

    private static void targets(List<Section.Block> blocks, List<ScrapeSnapshot.Target> targets) {
        int answering = 0;
        for (ScrapeSnapshot.Target target : targets) {
            if (target.reachable()) {
                answering++;
            } else if (blocks.size() < ROWS_MAX) {
                blocks.add(new Section.Line(String.format(
                        Locale.ROOT,
                        "UNREACHABLE %s %s: %s (%s of %s scrapes failed)",
                        Tree.text(target.job(), 32),
                        Tree.text(target.instance(), 64),
                        Tree.text(target.lastError(), 100),
                        Tree.count(target.failed()),
                        Tree.count(target.scrapes()))));
            }
        }
        blocks.add(new Section.Line(answering + " of " + targets.size() + " targets answer"));
    }

    /** A table with a column for each figure that any of the servers or GPUs has. */
    private static void highlights(List<Section.Block> blocks, List<ScrapeHighlight> all, String what) {
        if (all.isEmpty()) {
            return;
        }
        Set<ScrapeHighlight.Figure> figures = EnumSet.noneOf(ScrapeHighlight.Figure.class);
        all.forEach(each -> figures.addAll(each.figures().keySet()));
        List<String> titles = new ArrayList<>(List.of(what));
        figures.forEach(each -> titles.add(title(each)));
        blocks.add(Section.Table.ofNumbers(
                titles,
                all.stream()
                        .limit(ROWS_MAX)
                        .map(each -> {
                            List<String> cells = new ArrayList<>(List.of(Tree.text(each.name(), 48)));
                            figures.forEach(figure -> {
                                Double value = each.figures().get(figure);
                                cells.add(value == null ? "-" : value(figure, value));
                            });
                            return cells;
                        })
                        .toList()));
        if (all.size() > ROWS_MAX) {
            blocks.add(new Section.Line("and " + (all.size() - ROWS_MAX) + " more of them"));
        }
    }

    private static String title(ScrapeHighlight.Figure figure) {
        return switch (figure) {
            case KV_CACHE_USAGE -> "KV cache";
            case TENSOR_ACTIVE -> "tensor";
            case DRAM_ACTIVE -> "DRAM";
            case UTILIZATION_RATIO, UTILIZATION_PERCENT -> "busy";
            case POWER_WATTS -> "power";
            case TEMPERATURE_CELSIUS -> "temperature";
            case MEMORY_USED_MIB -> "memory used";
            case MEMORY_FREE_MIB -> "memory free";
            case SM_CLOCK_MHZ -> "SM clock";
            case MEMORY_CLOCK_MHZ -> "mem. clock";
            case MEMORY_TEMPERATURE_CELSIUS -> "mem. temp.";
            case ENGINE_ACTIVE -> "engine";
            case CPU_RATIO -> "CPU";
            case MEMORY_AVAILABLE_BYTES -> "available";
            case RECEIVED_BYTES -> "received";
            case SENT_BYTES -> "sent";
            case WAITED_CPU_SECONDS -> "waited for CPU";
            case WAITED_MEMORY_SECONDS -> "for memory";
            case WAITED_IO_SECONDS -> "for disks";
            case XID -> "XID";
            case NVLINK_TRAFFIC -> "NVLink";
            case POWER_VIOLATION -> "throttled, power";
            case THERMAL_VIOLATION -> "throttled, heat";
            case RUNNING, WAITING, PREEMPTIONS, GENERATION_TOKENS, PROMPT_TOKENS, PENDING, REQUESTS, FAILURES ->
                figure.wireName().replace('_', ' ');
        };
    }

    private static String value(ScrapeHighlight.Figure figure, double value) {
        return switch (figure) {
            case KV_CACHE_USAGE, TENSOR_ACTIVE, DRAM_ACTIVE, UTILIZATION_RATIO ->
                String.format(Locale.ROOT, "%.0f %%", 100 * value);
            case UTILIZATION_PERCENT -> String.format(Locale.ROOT, "%.0f %%", value);
            case POWER_WATTS -> String.format(Locale.ROOT, "%.0f W", value);
            case TEMPERATURE_CELSIUS -> String.format(Locale.ROOT, "%.0f °C", value);
            case MEMORY_USED_MIB, MEMORY_FREE_MIB -> String.format(Locale.ROOT, "%,.0f MiB", value);
            case SM_CLOCK_MHZ, MEMORY_CLOCK_MHZ -> String.format(Locale.ROOT, "%,.0f MHz", value);
            case MEMORY_TEMPERATURE_CELSIUS -> String.format(Locale.ROOT, "%.0f °C", value);
            case ENGINE_ACTIVE -> String.format(Locale.ROOT, "%.0f %%", 100 * value);
            case CPU_RATIO -> String.format(Locale.ROOT, "%.1f %%", 100 * value);
            case MEMORY_AVAILABLE_BYTES, RECEIVED_BYTES, SENT_BYTES -> Tree.bytes(value);
            case WAITED_CPU_SECONDS, WAITED_MEMORY_SECONDS, WAITED_IO_SECONDS ->
                String.format(Locale.ROOT, "%,.1f s", value);
            case XID,
                    NVLINK_TRAFFIC,
                    POWER_VIOLATION,
                    THERMAL_VIOLATION,
                    RUNNING,
                    WAITING,
                    PREEMPTIONS,
                    GENERATION_TOKENS,
                    PROMPT_TOKENS,
                    PENDING,
                    REQUESTS,
                    FAILURES -> String.format(Locale.ROOT, "%,.0f", value);
        };
    }

    private static void window(List<Section.Block> blocks, ScrapeWindow window) {
        blocks.add(new Section.Line(String.format(
                Locale.ROOT,
                "Triton in the last window: %s inferences/s, %s requests/s, %s of %s instances active, %s models to an"
                        + " instance, consistency %s%s",
                Tree.number(window.inferenceRate(), "%,.2f"),
                Tree.number(window.requestRate(), "%,.2f"),
                Tree.count(window.instancesActive()),
                Tree.count(window.instancesObserved()),
                Tree.number(window.concurrency(), "%.2f"),
                Tree.number(window.consistency(), "%.3f"),
                window.counterResets() > 0 ? ", " + window.counterResets() + " counters restarted" : "")));
        List<List<String>> rows = new ArrayList<>();
        window.models().forEach((model, one) -> {
            if (rows.size() < ROWS_MAX) {
                ScrapeWindow.RequestTimes times = one.times();
                rows.add(List.of(
                        Tree.text(model, 24),
                        Tree.number(one.requests(), "%,.0f"),
                        Tree.number(times.requestMicros(), "%,.0f µs"),
                        Tree.number(times.queueMicros(), "%,.0f µs"),
                        Tree.number(times.inputMicros(), "%,.0f µs"),
                        Tree.number(times.inferenceMicros(), "%,.0f µs"),
                        Tree.number(times.outputMicros(), "%,.0f µs"),
                        Tree.number(one.batch(), "%.2f")));
            }
        });
        if (!rows.isEmpty()) {
            blocks.add(Section.Table.ofNumbers(
                    List.of("Triton model", "requests", "each took", "queue", "input", "inference", "output", "batch"),
                    rows));
        }
    }

    private static void notebook(List<Section.Block> blocks, TritonSnapshot.Frame notebook) {
        TritonSnapshot.Spread concurrency = notebook.concurrency();
        if (concurrency != null) {
            TritonSnapshot.Spread consistency = notebook.consistency();
            blocks.add(new Section.Line(String.format(
                    Locale.ROOT,
                    "as the notebook computes it: concurrency %s (%s to %s), consistency %s%s",
                    Tree.number(concurrency.mean(), "%.3f"),
                    Tree.number(concurrency.min(), "%.3f"),
                    Tree.number(concurrency.max(), "%.3f"),
                    Tree.number(consistency == null ? null : consistency.mean(), "%.3f"),
                    notebook.error() == null
                            ? ""
                            : "; the notebook would have ended with " + Tree.text(notebook.error(), 80))));
        }
    }
}
