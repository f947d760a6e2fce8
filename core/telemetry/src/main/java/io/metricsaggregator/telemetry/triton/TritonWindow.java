package io.metricsaggregator.telemetry.triton;

import io.metricsaggregator.snapshot.telemetry.server.ScrapeWindow;
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
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates Triton's models and DCGM's GPUs in one window by anchored increments: the increment of a sample over its predecessor counts in the window of the later sample, so that
 * windows add up to the whole run. A figure is null if it was not measured, and 0 if it was measured and did not grow. Belongs to the thread that applies events.
 */
public final class TritonWindow {
    public static final String REQUESTS = "nv_inference_request_success";
    static final String INFERENCES = "nv_inference_count";
    static final String EXECUTIONS = "nv_inference_exec_count";
    static final String HITS = "nv_cache_num_hits_per_model";
    public static final String TENSOR = "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE";
    public static final String DRAM = "DCGM_FI_PROF_DRAM_ACTIVE";
    /** A snapshot has windows once there is a series of one of these names. */
    public static final List<String> MEASURES = List.of(REQUESTS, INFERENCES, TENSOR, DRAM);
    /** Duration counters, in microseconds, by the phase's name here and in the notebook. */
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

    /** Growth of the counters of one metric; null without a pair of samples. */
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

    /** Whether windows or the notebook's queries read series of that name: only for these does a series keep all samples of a window. */
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

    /** Growth of a metric by model; the key {@code ""} has all models. Adds the growth by pod to {@code byPod}. */
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

    /** Evaluates the window over the series that its options select. */
    public ScrapeWindow evaluate() {
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
        long active = active(byPod.get(""));
        Map<String, ScrapeWindow.Model> models = new TreeMap<>();
        long summed = 0;
        double rates = 0;
        for (String model : modelNames()) {
            long instances = active(byPod.get(model));
            Double rate = rate(inferences, model);
            models.put(
                    model,
                    new ScrapeWindow.Model(
                            instances,
                            rate,
                            value(requests, model),
                            times(durations, requests, hits, model),
                            ratio(value(inferences, model), value(executions, model))));
            summed += instances;
            rates += rate == null ? 0 : rate;
        }
        Map<String, Double> tensor = activity(TENSOR);
        Map<String, Double> dram = activity(DRAM);
        return new ScrapeWindow(
                rate(inferences, ""),
                rate(requests, ""),
                prometheus3(INFERENCES),
                prometheus3(REQUESTS),
                observed.size(),
                active,
                value(requests, ""),
                value(inferences, ""),
                times(durations, requests, hits, ""),
                models,
                summed,
                active == 0 ? null : (Double) ((double) summed / active),
                ratio(rates, rate(inferences, "")),
                gpus(tensor, dram),
                sum(tensor),
                sum(dram),
                resets);
    }

    private Set<String> modelNames() {
        Set<String> names = new LinkedHashSet<>();
        selected(REQUESTS).forEach(each -> names.add(model(each)));
        return names;
    }

    private static long active(@Nullable Map<String, Double> requestsByPod) {
        return requestsByPod == null
                ? 0
                : requestsByPod.values().stream().filter(each -> each > 0).count();
    }

    private static ScrapeWindow.RequestTimes times(
            Map<String, Map<String, Growth>> durations,
            Map<String, Growth> requests,
            Map<String, Growth> hits,
            String model) {
        Double count = value(requests, model);
        Double cached = value(hits, model);
        ScrapeWindow.UncachedTimes uncached = null;
        if (count != null && cached != null && cached > 0) {
            // A cached request counts as a request and has no compute times.
            double computed = count - cached;
            uncached = new ScrapeWindow.UncachedTimes(
                    micros(durations, "inp", model, computed),
                    micros(durations, "inf", model, computed),
                    micros(durations, "out", model, computed));
        }
        return new ScrapeWindow.RequestTimes(
                micros(durations, "req", model, count),
                micros(durations, "que", model, count),
                micros(durations, "inp", model, count),
                micros(durations, "inf", model, count),
                micros(durations, "out", model, count),
                uncached);
    }

    private static @Nullable Double micros(
            Map<String, Map<String, Growth>> durations, String phase, String model, @Nullable Double requests) {
        return ratio(value(durations.getOrDefault(phase, Map.of()), model), requests);
    }

    private static Map<String, ScrapeWindow.Gpu> gpus(Map<String, Double> tensor, Map<String, Double> dram) {
        Set<String> names = new TreeSet<>(tensor.keySet());
        names.addAll(dram.keySet());
        Map<String, ScrapeWindow.Gpu> gpus = new TreeMap<>();
        names.forEach(each -> gpus.put(each, new ScrapeWindow.Gpu(tensor.get(each), dram.get(each))));
        return gpus;
    }

    private static @Nullable Double sum(Map<String, Double> activity) {
        return activity.values().stream().reduce(Double::sum).orElse(null);
    }

    /** Mean value of each GPU, without DCGM's sentinels; of one Prometheus replica where there are several. */
    private Map<String, Double> activity(String name) {
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
        Map<String, Double> means = new TreeMap<>();
        sums.forEach((gpu, sum) -> means.put(gpu, sum[0] / sum[1]));
        return means;
    }

    /** DCGM's sentinels for "not available" (dcgm_structs.h), which older exporters print. */
    public static boolean isBlank(double value) {
        return value == 0x1p63
                || (value >= 2_147_483_632.0 && value <= 2_147_483_635.0 && value == Math.rint(value))
                || (value >= 140_737_488_355_328.0 && value <= 140_737_488_355_331.0);
    }
}
