package io.metricsaggregator.telemetry.triton;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.snapshot.telemetry.server.TritonSnapshot;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.promql.PromRange;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import io.metricsaggregator.telemetry.promql.ScrapeSeries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the queries of triton_multiuser_benchmarks' notebook at the end of each window, as Prometheus would, with their faults, such as a guard in each quotient. {@link
 * NotebookFrame} builds the notebook's table from the answers. Belongs to the thread that applies events.
 */
public final class TritonNotebook {
    private static final Map<String, String> GPU_LABELS = new TreeMap<>(Map.of(
            "exported_container", "triton",
            "exported_namespace", "triton",
            "prometheus_replica", "prometheus-k8s-0"));
    static final String OF_MODEL = "inf_rate\0";
    static final String INSTANCES_OF_MODEL = "num_instances\0";
    /** Memory activity of one GPU: the mean of its series, whereas the query over all GPUs sums them. */
    static final String DRAM_OF_GPU = "gpu_dram_util\0";

    static final List<String> BY_GPU = List.of("device", "GPU_I_ID", "instance");
    private static final List<String> BY_MODEL = List.of("model", "version", "pod");

    /** Most models with queries of their own, because each query reads all series. */
    private static final int MODELS_MAX = 64;

    /** With more series of a metric the queries are not evaluated, because every answer is kept. */
    private static final int SERIES_MAX = 2048;

    private final ScrapeOptions options;
    private final PromRange prometheus;
    private final Function<String, List<ScrapeSeries>> byName;
    private final Map<String, String> gpuLabels;
    private final Map<String, Query> queries = new LinkedHashMap<>();
    private final Set<Long> ends = new TreeSet<>();
    private final RowBudget points;
    private int models;
    private long skipped;
    private long left;

    /** A query and its answers by label set and time in milliseconds. */
    record Query(String text, Map<Map<String, String>, Map<Long, Double>> result) {
        /** Adds an answer; false if it replaces one of the same time. */
        boolean put(Map<String, String> labels, long at, double value) {
            return result.computeIfAbsent(labels, each -> new TreeMap<>()).put(at, value) == null;
        }
    }

    /** A PromQL function over the range that ends at a time; null for no result. */
    private interface OverRange {
        @Nullable
        Double of(ScrapeSeries series, long at);
    }

    /** A notebook without windows; {@code points} bounds the answers over all windows. */
    public TritonNotebook(ScrapeOptions options, Function<String, List<ScrapeSeries>> byName, RowBudget points) {
        this.points = points;
        this.options = options;
        this.byName = byName;
        this.prometheus = new PromRange(options.promql(), options.windowMillis());
        this.gpuLabels = options.selectors().getOrDefault("DCGM_FI_", GPU_LABELS);
    }

    private static boolean matches(ScrapeSeries series, Map<String, String> labels) {
        return labels.entrySet().stream()
                .allMatch(each -> series.label(each.getKey()).equals(each.getValue()));
    }

    private static Map<String, String> group(ScrapeSeries series, List<String> by) {
        Map<String, String> labels = new TreeMap<>();
        for (String each : by) {
            if (!series.label(each).isEmpty()) {
                labels.put(each, series.label(each));
            }
        }
        return labels;
    }

    private Map<Map<String, String>, Double> sum(
            String name, List<String> by, Map<String, String> matchers, long at, OverRange function) {
        return sum(byName.apply(name), by, matchers, at, function);
    }

    private static Map<Map<String, String>, Double> sum(
            List<ScrapeSeries> of, List<String> by, Map<String, String> matchers, long at, OverRange function) {
        Map<Map<String, String>, Double> sums = new LinkedHashMap<>();
        for (ScrapeSeries series : of) {
            Double value = matches(series, matchers) ? function.of(series, at) : null;
            if (value != null) {
                sums.merge(group(series, by), value, Double::sum);
            }
        }
        return sums;
    }

    private Query query(String name, String text) {
        return queries.computeIfAbsent(name, each -> new Query(text, new LinkedHashMap<>()));
    }

    private String range() {
        return "[" + options.windowMillis() / 1000 + "s]";
    }

    /**
     * Evaluates all queries at the time {@code at}, in milliseconds.
     *
     * @param empty whether the range holds no sample, so that no query has an answer
     */
    public void evaluate(long at, boolean empty) {
        ends.add(at);
        if (empty && !queries.isEmpty()) {
            return;
        }
        if (byName.apply(TritonWindow.REQUESTS).size() > SERIES_MAX) {
            skipped++;
            return;
        }
        String r = range();
        String s = TritonWindow.REQUESTS;
        String c = TritonWindow.INFERENCES;
        instances("num_instances", s + r, byName.apply(s), at);
        rates("inf_rate", c, r, at);
        put(
                "inf_cache_hit_rate",
                "sum by(model, version, pod) (rate(" + TritonWindow.HITS + r + "))",
                sum(TritonWindow.HITS, BY_MODEL, Map.of(), at, prometheus::rate),
                at);
        rates("inf_reqs", s, r, at);
        TritonWindow.DURATIONS.forEach((key, name) -> durations(key, name, at));
        Map<String, String> labels = gpuLabels;
        String matchers = labels.entrySet().stream()
                .map(each -> each.getKey() + "='" + each.getValue() + "'")
                .collect(java.util.stream.Collectors.joining(",", "{", "}"));
        for (Map.Entry<String, String> each : List.of(
                Map.entry("gpu_tensor_util", TritonWindow.TENSOR), Map.entry("gpu_dram_util", TritonWindow.DRAM))) {
            put(
                    each.getKey(),
                    "sum by(device,GPU_I_ID,instance) (avg_over_time (" + each.getValue() + matchers + r + "))",
                    sum(each.getValue(), BY_GPU, labels, at, prometheus::average),
                    at);
        }
        put(
                DRAM_OF_GPU,
                "avg by(device,GPU_I_ID,instance) (avg_over_time(" + TritonWindow.DRAM + matchers + r + "))",
                mean(TritonWindow.DRAM, BY_GPU, labels, at, prometheus::average),
                at);
        models(r, at);
    }

    /** Evaluates the queries of single models over the model's series. */
    private void models(String r, long at) {
        Map<String, List<ScrapeSeries>> inferences = byModel(TritonWindow.INFERENCES);
        byModel(TritonWindow.REQUESTS).forEach((id, requests) -> {
            boolean known = queries.containsKey(OF_MODEL + id);
            if (!known && models >= MODELS_MAX) {
                return;
            }
            models += known ? 0 : 1;
            ScrapeSeries any = requests.get(0);
            String matcher = "{model='" + any.label("model") + "',version='" + any.label("version") + "'}";
            instances(INSTANCES_OF_MODEL + id, TritonWindow.REQUESTS + matcher + r, requests, at);
            put(
                    OF_MODEL + id,
                    "sum (rate(" + TritonWindow.INFERENCES + matcher + r + "))",
                    sum(inferences.getOrDefault(id, List.of()), List.of(), Map.of(), at, prometheus::rate),
                    at);
        });
    }

    /** Series by model and version, in the order in which models were first seen. */
    private Map<String, List<ScrapeSeries>> byModel(String name) {
        Map<String, List<ScrapeSeries>> models = new LinkedHashMap<>();
        for (ScrapeSeries each : byName.apply(name)) {
            models.computeIfAbsent(each.label("model") + "\0" + each.label("version"), id -> new ArrayList<>())
                    .add(each);
        }
        return models;
    }

    private void put(String name, String text, Map<Map<String, String>, Double> answer, long at) {
        Query query = query(name, text);
        answer.forEach((labels, value) -> {
            if (!points.take()) {
                left++;
            } else if (!query.put(labels, at, value)) {
                points.giveBack(1);
            }
        });
    }

    private void instances(String name, String selector, List<ScrapeSeries> requests, long at) {
        long positive = sum(requests, List.of("pod"), Map.of(), at, prometheus::delta).values().stream()
                .filter(each -> each > 0)
                .count();
        // PromQL has no result instead of 0.
        put(
                name,
                "count((sum by(pod) (delta(" + selector + "))) > 0)",
                positive == 0 ? Map.of() : Map.of(Map.of(), (double) positive),
                at);
    }

    private void rates(String name, String metric, String r, long at) {
        String rate = "(rate(" + metric + r + "))";
        put(
                name + "_net",
                (name.equals("inf_rate") ? "sum " : "sum") + rate,
                sum(metric, List.of(), Map.of(), at, prometheus::rate),
                at);
        put(name + "_bypod", "sum by(pod) " + rate, sum(metric, List.of("pod"), Map.of(), at, prometheus::rate), at);
        put(name, "sum by(model, version, pod) " + rate, sum(metric, BY_MODEL, Map.of(), at, prometheus::rate), at);
    }

    private void durations(String key, String metric, long at) {
        Map<Map<String, String>, Double> requests = new LinkedHashMap<>();
        for (ScrapeSeries series : byName.apply(TritonWindow.REQUESTS)) {
            Double delta = prometheus.delta(series, at);
            if (delta != null) {
                requests.put(series.labels, delta);
            }
        }
        OverRange quotient = (series, when) -> {
            Double count = requests.get(series.labels);
            Double delta = prometheus.delta(series, when);
            return count == null || delta == null ? null : delta / (1 + 1_000_000 * count);
        };
        String text = "(delta(" + metric + range() + ")/(1+1000000*delta(" + TritonWindow.REQUESTS + range() + ")))";
        put("inf_" + key + "_dur_net", "avg " + text, mean(metric, List.of(), Map.of(), at, quotient), at);
        put(
                "inf_" + key + "_dur",
                "avg by(model, version, pod) " + text,
                mean(metric, BY_MODEL, Map.of(), at, quotient),
                at);
    }

    private Map<Map<String, String>, Double> mean(
            String name, List<String> by, Map<String, String> matchers, long at, OverRange function) {
        Map<Map<String, String>, Double> counts =
                sum(name, by, matchers, at, (series, when) -> function.of(series, when) == null ? null : 1.0);
        Map<Map<String, String>, Double> means = new LinkedHashMap<>();
        sum(name, by, matchers, at, function)
                .forEach((labels, sum) -> means.put(labels, sum / counts.getOrDefault(labels, 1.0)));
        return means;
    }

    /** Forgets the answers of that time, whose window is still open or was dropped. */
    public void forget(long at) {
        ends.remove(at);
        queries.values()
                .forEach(query -> query.result.values().forEach(each -> {
                    if (each.remove(at) != null) {
                        points.giveBack(1);
                    }
                }));
        queries.values().forEach(query -> query.result.values().removeIf(Map::isEmpty));
    }

    /** The answers by query; a view of the notebook's state. */
    public Map<String, TritonSnapshot.Answer> answers() {
        Map<String, Query> asked = new LinkedHashMap<>();
        queries.forEach((name, query) -> {
            if (name.indexOf('\0') < 0) {
                asked.put(name, query);
            }
        });
        return LazyTree.map(asked, (name, query) -> answer(query));
    }

    private static TritonSnapshot.Answer answer(Query query) {
        return new TritonSnapshot.Answer(
                query.text,
                LazyTree.list(
                        new ArrayList<>(query.result.entrySet()), each -> series(each.getKey(), each.getValue())));
    }

    private static TritonSnapshot.AnswerSeries series(Map<String, String> labels, Map<Long, Double> values) {
        List<TritonSnapshot.Point> points = new ArrayList<>(values.size());
        values.forEach((at, value) -> points.add(new TritonSnapshot.Point(at / 1000, value)));
        return new TritonSnapshot.AnswerSeries(labels, points);
    }

    /** The notebook's table of the answers so far. */
    public TritonSnapshot.Frame frame() {
        return new NotebookFrame(queries, ends).snapshot(skipped, left);
    }
}
