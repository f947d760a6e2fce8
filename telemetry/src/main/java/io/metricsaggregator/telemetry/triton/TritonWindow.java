package io.metricsaggregator.telemetry.triton;

import io.metricsaggregator.telemetry.promql.PromRange;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import io.metricsaggregator.telemetry.promql.ScrapeSeries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Triton's models and DCGM's GPUs in a window, by anchored increments: what a counter grew by counts in the window of the later sample, even if
 * the one before it is of an earlier window, so that windows add up to the whole. Nothing measured is null, measured and nothing is 0.
 */
public final class TritonWindow {
    public static final String REQUESTS = "nv_inference_request_success";
    static final String INFERENCES = "nv_inference_count";
    static final String EXECUTIONS = "nv_inference_exec_count";
    static final String HITS = "nv_cache_num_hits_per_model";
    public static final String TENSOR = "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE";
    public static final String DRAM = "DCGM_FI_PROF_DRAM_ACTIVE";
    /** A window shows something as soon as there is a series of one of these names. */
    public static final List<String> MEASURES = List.of(REQUESTS, INFERENCES, TENSOR, DRAM);
    /** By what they are called here and in the notebook. */
    static final Map<String, String> DURATIONS = new LinkedHashMap<>();

    private static final Set<String> READ = new HashSet<>();

    static {
        DURATIONS.put("req", "nv_inference_request_duration_us");
        DURATIONS.put("que", "nv_inference_queue_duration_us");
        DURATIONS.put("inp", "nv_inference_compute_input_duration_us");
        DURATIONS.put("inf", "nv_inference_compute_infer_duration_us");
        DURATIONS.put("out", "nv_inference_compute_output_duration_us");
        READ.addAll(List.of(REQUESTS, INFERENCES, EXECUTIONS, HITS, TENSOR, DRAM));
        READ.addAll(DURATIONS.values());
    }

    private final ScrapeOptions options;
    private final Function<String, List<ScrapeSeries>> byName;
    private final long end;
    private final PromRange prometheus3;
    private long resets;

    /** What counters of a kind grew by: null sums while there is no pair of samples. */
    private static final class Growth {
        private @Nullable Double value;
        private @Nullable Double rate;

        void add(double increment, double perSecond) {
            value = increment + (value == null ? 0 : value);
            rate = perSecond + (rate == null ? 0 : rate);
        }
    }

    public TritonWindow(ScrapeOptions options, Function<String, List<ScrapeSeries>> byName, long end) {
        this.options = options;
        this.byName = byName;
        this.end = end;
        this.prometheus3 = new PromRange(3, options.windowMillis());
    }

    /** Whether windows, or the notebook's queries, read series of that name: only of these are all samples of a window kept. */
    public static boolean isRead(String name) {
        return READ.contains(name);
    }

    static String pod(ScrapeSeries series) {
        String pod = series.label("pod");
        return pod.isEmpty() ? series.label("instance") : pod;
    }

    static String model(ScrapeSeries series) {
        return series.label("model") + "/" + series.label("version");
    }

    public static String gpu(ScrapeSeries series) {
        String device = series.label("device").isEmpty() ? series.label("gpu") : series.label("device");
        String slice = series.label("GPU_I_ID");
        return series.label("instance") + "/" + device + (slice.isEmpty() ? "" : "/" + slice);
    }

    private List<ScrapeSeries> selected(String name) {
        List<ScrapeSeries> selected = new ArrayList<>();
        for (ScrapeSeries each : byName.apply(name)) {
            if (options.selects(name, each.labels) && options.counts(each.label("model"))) {
                selected.add(each);
            }
        }
        return selected;
    }

    private int first(ScrapeSeries series) {
        return series.from(end - options.windowMillis() + 1);
    }

    private int last(ScrapeSeries series) {
        return series.from(end + 1) - 1;
    }

    /** Growth of a metric, by model and pod; {@code ""} is all. */
    private Map<String, Growth> growth(String name, Set<String> observed, Map<String, Map<String, Double>> byPod) {
        Map<String, Growth> growths = new TreeMap<>();
        for (ScrapeSeries series : selected(name)) {
            int from = first(series);
            int to = last(series);
            if (to >= from) {
                observed.add(pod(series));
            }
            double increments = 0;
            double seconds = 0;
            for (int i = from; i <= to; i++) {
                ScrapeSeries.Increment increment = series.increment(i, options.stalenessMillis());
                if (increment != null) {
                    increments += increment.value();
                    seconds += increment.seconds();
                    resets += increment.reset() ? 1 : 0;
                }
            }
            if (seconds > 0) {
                double rate = increments / seconds;
                growths.computeIfAbsent("", key -> new Growth()).add(increments, rate);
                growths.computeIfAbsent(model(series), key -> new Growth()).add(increments, rate);
                byPod.computeIfAbsent("", key -> new TreeMap<>()).merge(pod(series), increments, Double::sum);
                byPod.computeIfAbsent(model(series), key -> new TreeMap<>())
                        .merge(pod(series), increments, Double::sum);
            }
        }
        return growths;
    }

    private static @Nullable Double value(Map<String, Growth> of, String model) {
        Growth growth = of.get(model);
        return growth == null ? null : growth.value;
    }

    private static @Nullable Double rate(Map<String, Growth> of, String model) {
        Growth growth = of.get(model);
        return growth == null ? null : growth.rate;
    }

    private static @Nullable Double ratio(@Nullable Double of, @Nullable Double by) {
        return of == null || by == null || by == 0 ? null : of / by;
    }

    private @Nullable Double prometheus3(String name) {
        double sum = Double.NaN;
        for (ScrapeSeries series : selected(name)) {
            Double rate = prometheus3.rate(series, end);
            if (rate != null && Double.isFinite(rate)) {
                sum = Double.isNaN(sum) ? rate : sum + rate;
            }
        }
        return Double.isNaN(sum) ? null : sum;
    }

    /** What is known of the window. */
    public Map<String, @Nullable Object> evaluate() {
        Set<String> observed = new LinkedHashSet<>();
        Set<String> none = new LinkedHashSet<>();
        Map<String, Map<String, Double>> byPod = new TreeMap<>();
        Map<String, Map<String, Double>> unused = new TreeMap<>();
        Map<String, Growth> requests = growth(REQUESTS, observed, byPod);
        Map<String, Growth> inferences = growth(INFERENCES, none, unused);
        Map<String, Growth> executions = growth(EXECUTIONS, none, unused);
        Map<String, Growth> hits = growth(HITS, none, unused);
        Map<String, Map<String, Growth>> durations = new LinkedHashMap<>();
        DURATIONS.forEach((key, name) -> durations.put(key, growth(name, none, unused)));
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("inference_rate", rate(inferences, ""));
        tree.put("request_rate", rate(requests, ""));
        tree.put("inference_rate_prom3", prometheus3(INFERENCES));
        tree.put("request_rate_prom3", prometheus3(REQUESTS));
        long active = active(byPod.get(""));
        tree.put("instances_observed", (long) observed.size());
        tree.put("instances_active", active);
        tree.put("requests", value(requests, ""));
        tree.put("inferences", value(inferences, ""));
        perRequest(tree, durations, requests, hits, "");
        Map<String, Object> models = new TreeMap<>();
        long summed = 0;
        double rates = 0;
        for (String model : modelNames()) {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            long instances = active(byPod.get(model));
            one.put("instances_active", instances);
            one.put("inference_rate", rate(inferences, model));
            one.put("requests", value(requests, model));
            perRequest(one, durations, requests, hits, model);
            one.put("avg_batch", ratio(value(inferences, model), value(executions, model)));
            models.put(model, one);
            summed += instances;
            Double rate = rate(inferences, model);
            rates += rate == null ? 0 : rate;
        }
        tree.put("models", models);
        tree.put("summed_instances", summed);
        tree.put("concurrency", active == 0 ? null : (double) summed / active);
        tree.put("consistency", ratio(rates, rate(inferences, "")));
        gpus(tree);
        tree.put("counter_resets", resets);
        return tree;
    }

    private Set<String> modelNames() {
        Set<String> names = new LinkedHashSet<>();
        selected(REQUESTS).forEach(each -> names.add(model(each)));
        return names;
    }

    /** Every model there has been, with what is known of it in the window. */
    public Map<String, Object> models() {
        Map<String, Object> models = new TreeMap<>();
        if (evaluate().get("models") instanceof Map<?, ?> known) {
            known.forEach((model, one) -> models.put((String) model, one));
        }
        return models;
    }

    private static long active(@Nullable Map<String, Double> requestsByPod) {
        return requestsByPod == null
                ? 0
                : requestsByPod.values().stream().filter(each -> each > 0).count();
    }

    private static void perRequest(
            Map<String, @Nullable Object> tree,
            Map<String, Map<String, Growth>> durations,
            Map<String, Growth> requests,
            Map<String, Growth> hits,
            String model) {
        Double count = value(requests, model);
        Double cached = value(hits, model);
        durations.forEach((key, growth) -> tree.put(key + "_us_per_request", ratio(value(growth, model), count)));
        if (count != null && cached != null && cached > 0) {
            // A cached request is in the count of requests and in none of the compute times.
            for (String key : List.of("inp", "inf", "out")) {
                tree.put(
                        key + "_us_per_uncached_request",
                        ratio(value(durations.getOrDefault(key, Map.of()), model), count - cached));
            }
        }
    }

    private void gpus(Map<String, @Nullable Object> tree) {
        Map<String, Map<String, Object>> gpus = new TreeMap<>();
        tree.put("gpus", gpus);
        tree.put("summed_tensor_active", gpu(gpus, TENSOR, "tensor_active"));
        tree.put("summed_dram_active", gpu(gpus, DRAM, "dram_active"));
    }

    /** Means of what a GPU's samples say, without those that say nothing; of one replica of Prometheus where there are several. */
    private @Nullable Double gpu(Map<String, Map<String, Object>> gpus, String name, String as) {
        Map<String, double[]> sums = new TreeMap<>();
        List<ScrapeSeries> all = selected(name);
        String replica = all.stream()
                .map(each -> each.label("prometheus_replica"))
                .filter(each -> !each.isEmpty())
                .min(String::compareTo)
                .orElse("");
        for (ScrapeSeries series : all) {
            String own = series.label("prometheus_replica");
            if (!own.isEmpty() && !own.equals(replica)) {
                continue;
            }
            for (int i = first(series); i <= last(series); i++) {
                double value = series.value(i);
                if (!isBlank(value) && Double.isFinite(value)) {
                    double[] sum = sums.computeIfAbsent(gpu(series), key -> new double[2]);
                    sum[0] += value;
                    sum[1]++;
                }
            }
        }
        double total = Double.NaN;
        for (Map.Entry<String, double[]> each : sums.entrySet()) {
            double mean = each.getValue()[0] / each.getValue()[1];
            gpus.computeIfAbsent(each.getKey(), key -> new LinkedHashMap<>()).put(as, mean);
            total = Double.isNaN(total) ? mean : total + mean;
        }
        return Double.isNaN(total) ? null : total;
    }

    /** DCGM's values for "not there" (dcgm_structs.h), which exporters of some age print. */
    public static boolean isBlank(double value) {
        return value == 0x1p63
                || (value >= 2_147_483_632.0 && value <= 2_147_483_635.0 && value == Math.rint(value))
                || (value >= 140_737_488_355_328.0 && value <= 140_737_488_355_331.0);
    }
}
