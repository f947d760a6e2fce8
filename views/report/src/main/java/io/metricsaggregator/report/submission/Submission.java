package io.metricsaggregator.report.submission;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of a submission with one curve.
 *
 * @param files texts by path below the submission's directory
 * @param notes decisions the reader should know, one line each
 */
public record Submission(Map<String, String> files, List<String> notes) {
    private static final Set<String> MEASURED =
            Set.of("concurrency", "region", "steady_state", "shared_src", "shared_docs");

    /**
     * What the submitter states.
     *
     * @param system {@code system_desc.json}, the same for all points; null to write a form
     * @param power {@code system_power.json}; null to write a form
     * @param disclosure fields of {@code point.yaml} for all points; those below {@code points.N} are of the point at concurrency N alone, and
     *     {@code points.N.system_desc} of its system description
     * @param model the benchmark model; null for that of the disclosure, else of {@code config.yaml}
     * @param implementation the directory below {@code src}
     */
    public record Statements(
            @Nullable Map<?, ?> system,
            @Nullable Map<?, ?> power,
            Map<?, ?> disclosure,
            @Nullable String model,
            String implementation) {}

    /**
     * Writes the files of measured points.
     *
     * @throws IllegalArgumentException if two points have one concurrency, or the disclosure states what is measured
     */
    public static Submission of(Statements stated, List<MeasuredPoint> measured) {
        List<MeasuredPoint> points = new ArrayList<>(measured);
        points.sort(Comparator.comparingLong(MeasuredPoint::concurrency));
        Set<Long> seen = new HashSet<>();
        for (MeasuredPoint each : points) {
            if (each.concurrency() < 1 || !seen.add(each.concurrency())) {
                throw new IllegalArgumentException("two points, or one below 1, at concurrency " + each.concurrency()
                        + ", the second of " + each.name());
            }
        }
        for (Object key : stated.disclosure().keySet()) {
            if (MEASURED.contains(String.valueOf(key))) {
                throw new IllegalArgumentException("the disclosure states " + key + ", which is of the runs");
            }
        }
        return new Writer(stated, points).write();
    }

    /** The names of directories as MLCommons' tool makes them: letters, digits, {@code _} and {@code -}, up to 64. */
    public static String slug(String name) {
        String slug = name.strip().replaceAll("[^\\p{L}\\p{Nd}_-]", "_").replaceAll("_+", "_");
        slug = slug.replaceAll("^_|_$", "");
        return slug.isEmpty() ? "unknown" : slug.substring(0, Math.min(64, slug.length()));
    }

    /** One use. */
    private static final class Writer {
        private final Statements stated;
        private final List<MeasuredPoint> points;
        private final Node disclosure;
        private final Map<String, String> files = new LinkedHashMap<>();
        private final List<String> notes = new ArrayList<>();

        Writer(Statements stated, List<MeasuredPoint> points) {
            this.stated = stated;
            this.points = points;
            this.disclosure = new Node("", stated.disclosure());
        }

        Submission write() {
            Map<String, @Nullable Object> system = Forms.copy(stated.system());
            if (system.isEmpty()) {
                system.putAll(Forms.system());
            }
            List<Long> fixed = points.stream()
                    .filter(each -> !each.offline())
                    .map(MeasuredPoint::concurrency)
                    .toList();
            Node description = new Node("", system);
            if (description.whole("max_supported_concurrency") == null && !fixed.isEmpty()) {
                system.put("max_supported_concurrency", fixed.get(fixed.size() - 1));
                notes.add("max_supported_concurrency is " + fixed.get(fixed.size() - 1)
                        + ", the largest that was measured: system_desc.json may state another one");
            }
            Long largest = description.whole("max_supported_concurrency");
            CurveRegions regions = CurveRegions.of(largest, description.whole("c_min_override"), fixed);
            String model = model();
            String systemName = Objects.requireNonNullElse(description.text("system_name"), Node.TODO);
            String folder = "results/" + slug(systemName) + "/";
            Node powerFile = new Node("", stated.power() == null ? Map.of() : stated.power());
            ProvisionedPower power = stated.power() == null ? null : PowerSum.of(powerFile);
            Map<String, @Nullable Object> powerTree = Forms.copy(stated.power());
            if (power == null) {
                powerTree.putAll(Forms.power(slug(systemName)));
            } else {
                powerTree.putAll(power.computed());
                power.problems().forEach(each -> notes.add("system_power.json: " + each));
            }
            files.put(folder + "system_power.json", SubmissionFiles.json(powerTree));
            double peak = points.stream()
                    .map(MeasuredPoint::tokensPerSecond)
                    .filter(Objects::nonNull)
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(0);
            boolean dedicated = points.stream().anyMatch(MeasuredPoint::offline);
            for (MeasuredPoint each : points) {
                Map<String, @Nullable Object> yaml = pointYaml(each, model, largest, regions, dedicated);
                write(each, folder + slug(model) + "/" + each.folder() + "/", yaml, system, power, peak);
            }
            files.put("src/" + slug(stated.implementation()) + "/README.md", Forms.sources(stated.implementation()));
            files.put("docs/README.md", Forms.documentation());
            return new Submission(files, notes);
        }

        private String model() {
            String name = stated.model() != null ? stated.model() : disclosure.text("model_name");
            if (name == null) {
                Node parameters = points.get(0).configuration().node("model_params");
                String full = parameters == null ? null : parameters.text("name");
                name = full == null ? Node.TODO : slug(full.substring(full.lastIndexOf('/') + 1));
            }
            return name;
        }

        private void write(
                MeasuredPoint point,
                String folder,
                Map<String, @Nullable Object> yaml,
                Map<String, @Nullable Object> system,
                @Nullable ProvisionedPower power,
                double peak) {
            Map<String, @Nullable Object> summary = point.summary();
            Double tokens = point.tokensPerSecond();
            Map<Long, Long> used = power == null ? null : power.nodesUsed(new Node("", yaml), notes);
            Double kilowatts = power == null || used == null ? null : power.pointKilowatts(used);
            if (kilowatts != null && kilowatts > 0 && tokens != null) {
                summary.put("point_power_kw", kilowatts);
                summary.put("system_tps_per_kw", ProvisionedPower.perKilowatt(tokens, kilowatts));
            }
            Map<String, @Nullable Object> description = new LinkedHashMap<>(system);
            description.putAll(Forms.copy(own(point, "system_desc")));
            if (tokens != null && peak > 0) {
                description.put("tps_utilization", tokens / peak);
            }
            List<String> removed = new ArrayList<>();
            files.put(folder + "point.yaml", SubmissionFiles.writeYaml(yaml));
            files.put(folder + "system_desc.json", SubmissionFiles.json(description));
            files.put(folder + "result_summary.json", SubmissionFiles.json(summary));
            files.put(folder + "config.yaml", point.configText(removed));
            if (point.accuracy() != null) {
                files.put(folder + "accuracy_results.json", point.accuracy());
            }
            if (!removed.isEmpty()) {
                notes.add(point.folder() + "/config.yaml: removed " + String.join(", ", removed));
            }
        }

        private Map<String, @Nullable Object> pointYaml(
                MeasuredPoint point,
                String model,
                @Nullable Long largest,
                @Nullable CurveRegions regions,
                boolean dedicated) {
            Map<String, @Nullable Object> yaml = new LinkedHashMap<>();
            yaml.put("concurrency", point.concurrency());
            String region = point.offline() ? "submitters_choice" : null;
            if (!point.offline() && regions != null) {
                region = regions.name(point.concurrency());
            }
            if (region != null) {
                yaml.put("region", region);
            }
            Node config = point.configuration();
            String dataset = config.nodes("datasets").stream()
                    .filter(each -> "performance".equals(each.text("type")))
                    .map(each -> each.text("name"))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(Node.TODO);
            yaml.put("dataset", dataset);
            yaml.put("runtime_settings", point.runtimeSettings());
            yaml.put("warmup", point.warmup());
            Forms.DISCLOSURE.forEach(each -> yaml.put(each, Node.TODO));
            yaml.put("max_supported_concurrency", largest == null ? Node.TODO : largest);
            boolean agentic = "agentic_inference".equals(point.runtimeSettings().get("load_pattern"));
            if (point.offline()) {
                yaml.put("offline", "dedicated");
            } else if (!dedicated && !agentic && largest != null && point.concurrency() == largest) {
                yaml.put("offline", "elected");
                notes.add(point.folder() + " is elected as the Offline point, because no run is offline=PATH");
            }
            // The rules of steady state do not apply to a dedicated Offline run.
            Map<String, @Nullable Object> steady = point.offline() ? null : point.steadyState();
            if (steady != null) {
                yaml.put("steady_state", steady);
            } else if (!point.offline()) {
                notes.add(
                        point.folder() + " has no steady_state: run with --superpass-size, the samples of the dataset");
            }
            Map<String, @Nullable Object> all = Forms.copy(stated.disclosure());
            all.remove("points");
            Forms.merge(yaml, all);
            Map<String, @Nullable Object> own = Forms.copy(own(point, null));
            own.remove("system_desc");
            Forms.merge(yaml, own);
            yaml.put("model_name", model);
            yaml.put("shared_src", "src/" + slug(stated.implementation()));
            yaml.put("shared_docs", "docs");
            MetricsSnapshot snapshot = point.report().snapshot();
            if (!point.report().complete()) {
                notes.add(point.folder() + " is of a run that is not complete: "
                        + snapshot.state().wireName());
            }
            return yaml;
        }

        /** What the disclosure states of a point alone, or a mapping in it. */
        private @Nullable Map<?, ?> own(MeasuredPoint point, @Nullable String key) {
            Node all = disclosure.node("points");
            Object own = null;
            if (all != null) {
                for (Map.Entry<?, ?> each : all.map().entrySet()) {
                    own = String.valueOf(each.getKey()).equals(String.valueOf(point.concurrency()))
                            ? each.getValue()
                            : own;
                }
            }
            Object value = own instanceof Map<?, ?> map && key != null ? map.get(key) : own;
            return value instanceof Map<?, ?> map ? map : null;
        }
    }

    /** The fields that a person has to fill in, by file name, with the number of files that have each. */
    static Map<String, Integer> todo(Map<String, Map<?, ?>> trees) {
        Map<String, Integer> found = new TreeMap<>();
        trees.forEach((path, tree) -> {
            String file = path.substring(path.lastIndexOf('/') + 1);
            Set<String> own = new HashSet<>();
            collect(tree, file + ":", own);
            own.forEach(each -> found.merge(each, 1, Integer::sum));
        });
        return found;
    }

    private static void collect(@Nullable Object value, String path, Set<String> found) {
        if (Node.isTodo(value)) {
            found.add(path);
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> collect(each, path + (path.endsWith(":") ? " " : ".") + key, found));
        } else if (value instanceof List<?> list) {
            list.forEach(each -> collect(each, path + "[]", found));
        }
    }
}
