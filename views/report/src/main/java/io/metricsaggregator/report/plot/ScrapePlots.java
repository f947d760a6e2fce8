package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.TargetNames;
import io.metricsaggregator.analysis.TimeAxis;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The plots of scraped series over time: one for each name, grouped by the server that exposes it. */
final class ScrapePlots {
    private static final int PLOTS_MAX = 64;
    /** Longest name of a curve in characters. */
    private static final int NAME_MAX = 40;

    private ScrapePlots() {}

    /**
     * A kind of server.
     *
     * @param prefix of the names of its series
     * @param first series whose plots are open on a page, in this order
     */
    private record Server(String title, String prefix, List<String> first) {}

    private static final List<Server> SERVERS = List.of(
            new Server(
                    "vLLM",
                    "vllm:",
                    List.of(
                            "vllm:num_requests_running",
                            "vllm:num_requests_waiting",
                            "vllm:kv_cache_usage_perc",
                            "vllm:gpu_cache_usage_perc",
                            "vllm:generation_tokens_total",
                            "vllm:prompt_tokens_total",
                            "vllm:num_preemptions_total")),
            new Server(
                    "SGLang",
                    "sglang:",
                    List.of(
                            "sglang:num_running_reqs",
                            "sglang:num_queue_reqs",
                            "sglang:token_usage",
                            "sglang:gen_throughput")),
            new Server(
                    "Triton",
                    "nv_",
                    List.of(
                            "nv_inference_count",
                            "nv_inference_request_success",
                            "nv_inference_pending_request_count")),
            new Server(
                    "GPUs (DCGM)",
                    "DCGM_",
                    List.of(
                            "DCGM_FI_DEV_POWER_USAGE",
                            "DCGM_FI_DEV_GPU_UTIL",
                            "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
                            "DCGM_FI_PROF_DRAM_ACTIVE",
                            "DCGM_FI_DEV_GPU_TEMP",
                            "DCGM_FI_DEV_FB_USED")));
    private static final Server OTHER = new Server("Other series", "", List.of());

    /** For each kind of server a group of its well-known series, which is open, and one of the others. */
    static List<PlotGroup> of(MetricsSnapshot snapshot, TimeAxis axis) {
        SnapshotExtensions extensions = snapshot.extensions();
        ScrapeSnapshot scrape = extensions.telemetry().scrape();
        ScrapeSnapshot.Table table = scrape == null ? null : scrape.table();
        if (scrape == null || table == null) {
            return List.of();
        }
        Map<String, Curves> byName = new LinkedHashMap<>();
        Map<String, Boolean> rates = new LinkedHashMap<>();
        double[] xs = axis.middles(table.buckets(), scrape.clock());
        boolean targets = scrape.targets().size() > 1;
        TargetNames naming = TargetNames.of(scrape.targets());
        for (ScrapeSnapshot.Series row : table.rows()) {
            if (!row.name().endsWith("_bucket") && !row.name().endsWith("_created")) {
                rates.put(row.name(), row.rate());
                byName.computeIfAbsent(row.name(), any -> new Curves())
                        .add(curve(row, targets, naming), xs, Curves.values(row.values(), xs.length));
            }
        }
        byName.values().removeIf(Curves::isEmpty);
        List<PlotGroup> groups = new ArrayList<>();
        int left = PLOTS_MAX;
        for (Server server : servers()) {
            List<String> names = byName.keySet().stream()
                    .filter(each -> serverOf(each).equals(server))
                    .sorted(Comparator.comparingInt(each -> place(server, each)))
                    .toList();
            int known = (int) names.stream().filter(server.first()::contains).count();
            for (List<String> part : List.of(names.subList(0, known), names.subList(known, names.size()))) {
                List<Plot> plots = part.stream()
                        .limit(left)
                        .map(each ->
                                plot(each, rates.getOrDefault(each, false), Objects.requireNonNull(byName.get(each))))
                        .toList();
                left -= plots.size();
                boolean first = !plots.isEmpty() && known > 0 && part.get(0).equals(names.get(0));
                groups.add(
                        new PlotGroup(title(server, known, first, part.size(), plots.size()), first, plots, List.of()));
            }
        }
        return groups;
    }

    private static List<Server> servers() {
        List<Server> all = new ArrayList<>(SERVERS);
        all.add(OTHER);
        return all;
    }

    private static Server serverOf(String name) {
        return SERVERS.stream()
                .filter(each -> name.startsWith(each.prefix()))
                .findFirst()
                .orElse(OTHER);
    }

    private static int place(Server server, String name) {
        int place = server.first().indexOf(name);
        return place < 0 ? Integer.MAX_VALUE : place;
    }

    private static String title(Server server, int known, boolean first, int series, int shown) {
        String rest = first || known == 0 ? server.title() : server.title() + ", other series";
        return shown < series ? rest + ", " + shown + " of " + series : rest;
    }

    private static Plot plot(String series, boolean rate, Curves curves) {
        String name = Printable.escape(series, 64);
        SeriesUnit unit = SeriesUnit.of(series, rate, curves.largest());
        return TimePlot.of("scraped-" + name.replaceAll("[^A-Za-z0-9]+", "-"), name, unit, curves);
    }

    /** The labels that tell a series from others of its name, shortened. */
    private static String curve(ScrapeSnapshot.Series row, boolean targets, TargetNames names) {
        List<String> parts = new ArrayList<>();
        for (String each : List.of("instance", "model", "model_name", "gpu", "device", "GPU_I_ID", "pod")) {
            String value = row.label(each);
            boolean repeats = each.equals("gpu") && row.label("device").endsWith(value);
            if (!value.isEmpty() && !repeats && (targets || !each.equals("instance"))) {
                parts.add(value);
            }
        }
        if (names.isShared(row.label("instance"))) {
            parts.add(row.label("job"));
        }
        return parts.isEmpty() ? row.name() : Printable.escape(String.join(" ", parts), NAME_MAX);
    }
}
