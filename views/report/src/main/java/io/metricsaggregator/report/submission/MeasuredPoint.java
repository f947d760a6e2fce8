package io.metricsaggregator.report.submission;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.report.dialect.MlcommonsSummary;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A measured point of a submission.
 *
 * @param name where the run was read from
 * @param concurrency requests in flight; for the Offline point the samples of its dataset
 * @param offline whether it is a dedicated Offline run
 * @param report its figures
 * @param config text of the load generator's {@code config.yaml}; null if the run has none
 * @param accuracy text of its accuracy results; null if the run has none
 */
public record MeasuredPoint(
        String name,
        long concurrency,
        boolean offline,
        Report report,
        @Nullable String config,
        @Nullable String accuracy) {
    private static final double NANOS_PER_SECOND = 1e9;
    /** Names of values that are not to be published; those of numbers, such as {@code max_tokens}, do not matter. */
    private static final Pattern SECRET_NAME =
            Pattern.compile("(?i)(.*(api[_-]?key|password|secret|authorization|credential"
                    + "|(access|auth|bearer|hf)[_-]?token).*|token)");

    /** A URL with a user's password. */
    private static final Pattern SECRET_URL = Pattern.compile("://[^/@\\s]+:[^/@\\s]+@");

    /** The point's directory below that of its model. */
    String folder() {
        return "r" + concurrency;
    }

    /** The mapping of {@code config.yaml}; empty without one. */
    Node configuration() {
        return new Node("", config == null ? Map.of() : SubmissionFiles.yaml(config));
    }

    /** {@code result_summary.json}. */
    Map<String, @Nullable Object> summary() {
        return MlcommonsSummary.submitted(report);
    }

    /** Output tokens a second as the checker divides them: total of the lengths by the duration; null without both. */
    @Nullable
    Double tokensPerSecond() {
        return (Double) summary().get("system_tps");
    }

    /** The block {@code steady_state} of {@code point.yaml}; null for a run that was not judged by super-passes. */
    @Nullable
    Map<String, @Nullable Object> steadyState() {
        SteadyState steady = report.snapshot().extensions().optional().steady();
        SuperPasses passes = steady == null ? null : steady.superPasses();
        SuperPasses.Judgement judgement = passes == null ? null : passes.judgement();
        if (steady == null || passes == null || judgement == null) {
            return null;
        }
        Map<String, @Nullable Object> block = new LinkedHashMap<>();
        block.put("status", judgement.status());
        block.put("verdict", judgement.verdict());
        boolean found = judgement.compat().get("window") instanceof Map<?, ?>;
        if (judgement.compat().get("window") instanceof Map<?, ?> window) {
            block.put("window", window(new Node("", window), passes.size(), steady.window()));
        }
        block.put("state", states(judgement, found));
        if (judgement.anomalyPercent() != null) {
            block.put("anomaly", judgement.compat().get("anomaly"));
        }
        return block;
    }

    /** Ours ends before {@code sp_hi}; theirs includes its end. Both count the super-passes after the warm-up. */
    private static Map<String, @Nullable Object> window(Node ours, long size, @Nullable SteadyWindow figures) {
        Map<String, @Nullable Object> window = new LinkedHashMap<>();
        Long to = ours.whole("sp_hi");
        window.put("super_pass_start", ours.whole("sp_lo"));
        window.put("super_pass_end", to == null ? null : (Long) (to - 1));
        window.put("super_pass_size", size);
        window.put("n_samples", ours.whole("n_samples"));
        if (figures != null && figures.superPasses() != null) {
            window.put("duration_s", figures.issueNanos() / NANOS_PER_SECOND);
        }
        return window;
    }

    /** A window holds its gated figures level; without one, their trend over the run after the warm-up is theirs. */
    private static Map<String, @Nullable Object> states(SuperPasses.Judgement judgement, boolean found) {
        Map<String, @Nullable Object> states = new LinkedHashMap<>();
        Object trends = judgement.compat().get("global_trend");
        for (String gated : List.of("tpot_p50", "tpot_p90")) {
            Object trend = trends instanceof Map<?, ?> map ? map.get(gated) : null;
            String state = found || "steady".equals(trend)
                    ? "Plateau"
                    : "up".equals(trend) ? "Drifting Up" : "down".equals(trend) ? "Drifting Down" : null;
            if (state != null) {
                states.put(gated, state);
            }
        }
        return states;
    }

    /** {@code runtime_settings} of {@code point.yaml}, as far as {@code config.yaml} and the run say. */
    Map<String, @Nullable Object> runtimeSettings() {
        Node config = configuration();
        Node settings = Objects.requireNonNullElse(config.node("settings"), new Node("", Map.of()));
        Node pattern = settings.node("load_pattern");
        Node runtime = Objects.requireNonNullElse(settings.node("runtime"), new Node("", Map.of()));
        Node client = settings.node("client");
        Node warmup = settings.node("warmup");
        String type = pattern == null ? null : pattern.text("type");
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("load_pattern", type != null ? type : offline ? "max_throughput" : "concurrency");
        if (runtime.whole("min_duration_ms") != null) {
            tree.put("min_duration_ms", runtime.whole("min_duration_ms"));
        }
        if (client != null && client.map().get("stream_all_chunks") instanceof Boolean all) {
            tree.put("stream_all_chunks", all);
        }
        Map<String, @Nullable Object> seeds = new LinkedHashMap<>();
        Node model = config.node("model_params");
        seeds.put("scheduler_rng_seed", seed(runtime, "scheduler_rng_seed", "scheduler_random_seed"));
        seeds.put("sample_index_rng_seed", seed(runtime, "sample_index_rng_seed", "dataloader_random_seed"));
        seeds.put("model_seed", model == null ? Node.TODO : seed(model, "model_seed", "seed"));
        tree.put("runtime", seeds);
        if (warmup != null && warmup.map().get("salt") instanceof Boolean salt) {
            tree.put("warmup", Map.of("salt", salt));
        }
        return tree;
    }

    private static Object seed(Node settings, String name, String older) {
        Object seed = Objects.requireNonNullElse(settings.big(name), Node.TODO);
        return Node.isTodo(seed) ? Objects.requireNonNullElse(settings.big(older), Node.TODO) : seed;
    }

    /** The declaration of the warm-up: all zero where the run issued nothing outside of its tracked windows, else for the submitter to complete. */
    Map<String, @Nullable Object> warmup() {
        MetricsSnapshot snapshot = report.snapshot();
        long issued = snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED)
                - snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED);
        long completed = snapshot.counter(CounterName.TOTAL_SAMPLES_COMPLETED)
                - snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        boolean none = issued == 0;
        // An accuracy phase of the same run is outside of the tracked windows, too.
        boolean counted = none || (accuracy == null && completed >= 0 && completed <= issued);
        tree.put("duration_s", none ? 0L : Node.TODO);
        tree.put("requests_issued", counted ? issued : Node.TODO);
        tree.put("requests_completed", counted ? none ? 0L : completed : Node.TODO);
        tree.put("data_source", none ? "no warm-up" : Node.TODO);
        tree.put("concurrency", none ? 0L : Node.TODO);
        if (!none) {
            tree.put("logs_retained", Node.TODO);
        }
        return tree;
    }

    /** {@code config.yaml}: the tool's own text, with keys and passwords taken out, and their names. */
    String configText(List<String> removed) {
        if (config == null) {
            return SubmissionFiles.writeYaml(
                    Map.of("config", Node.TODO + ": the config.yaml that the load generator ran"));
        }
        Map<?, ?> tree = SubmissionFiles.yaml(config);
        List<String> found = new ArrayList<>();
        Object cleaned = withoutSecrets(tree, "", found);
        removed.addAll(found);
        return found.isEmpty() || !(cleaned instanceof Map<?, ?> map) ? config : SubmissionFiles.writeYaml(map);
    }

    private static @Nullable Object withoutSecrets(@Nullable Object value, String path, List<String> found) {
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>();
            list.forEach(each -> copy.add(withoutSecrets(each, path, found)));
            return copy;
        }
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((key, each) -> {
            String name = String.valueOf(key);
            boolean secret = (each instanceof String || each instanceof List)
                    && (SECRET_NAME.matcher(name).matches()
                            || SECRET_URL.matcher(String.valueOf(each)).find());
            if (secret) {
                found.add(path + name);
            }
            copy.put(name, secret ? "(removed)" : withoutSecrets(each, path + name + ".", found));
        });
        return copy;
    }
}
