package io.metricsaggregator.report.submission;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rules of one curve, which is one model on one system. One use, one thread. */
final class CurveCheck {
    private static final Set<String> PER_POINT = Set.of(
            "tps_utilization",
            "tensor_parallel",
            "pipeline_parallel",
            "expert_parallel",
            "data_parallel",
            "disaggregated",
            "batch",
            "config_summary",
            "config_summary_notes");
    private static final int POINTS_MIN = 7;
    private static final int POINTS_MAX = 32;
    private static final double UTILIZATION_TOLERANCE = 0.1;

    private final Findings check;
    private final Path model;
    private final List<Point> points = new ArrayList<>();

    /** The files of a point; null where a file is missing or damaged. */
    private record Point(
            Path folder,
            long concurrency,
            @Nullable Node yaml,
            @Nullable Node summary,
            @Nullable Node system,
            boolean accuracy) {
        boolean isOffline(String kind) {
            return yaml != null && kind.equals(yaml.text("offline"));
        }

        boolean isAgentic() {
            Node settings = yaml == null ? null : yaml.node("runtime_settings");
            return settings != null && "agentic_inference".equals(settings.text("load_pattern"));
        }

        @Nullable
        Double tokensPerSecond() {
            Node lengths = summary == null ? null : summary.node("output_sequence_lengths");
            Double tokens = lengths == null ? null : lengths.number("total");
            Double nanos = summary == null ? null : summary.number("duration_ns");
            return tokens == null || nanos == null || nanos <= 0 ? null : (Double) (tokens / (nanos / 1e9));
        }
    }

    CurveCheck(Findings check, Path model) {
        this.check = check;
        this.model = model;
    }

    void run(@Nullable ProvisionedPower power) throws IOException {
        for (Path folder : Findings.folders(model)) {
            String name = String.valueOf(folder.getFileName());
            if (name.matches("r[0-9]{1,9}")) {
                points.add(read(folder, Long.parseLong(name.substring(1))));
            }
        }
        points.sort(Comparator.comparingLong(Point::concurrency));
        boolean dedicated = points.stream().anyMatch(each -> each.isOffline("dedicated"));
        int least = dedicated && !isAgentic() ? POINTS_MIN + 1 : POINTS_MIN;
        int size = points.size();
        check.require(size >= least, "point-count", model, size + " points; at least " + least + " are demanded");
        check.require(size <= POINTS_MAX, "point-cap", model, size + " points; at most " + POINTS_MAX + " are allowed");
        if (points.isEmpty()) {
            return;
        }
        Node system = points.stream()
                .map(Point::system)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(new Node("", Map.of()));
        Long largest = system.whole("max_supported_concurrency");
        List<Long> fixed = points.stream()
                .filter(each -> !each.isOffline("dedicated"))
                .map(Point::concurrency)
                .toList();
        CurveRegions regions = CurveRegions.of(largest, system.whole("c_min_override"), fixed);
        check.require(
                regions != null || system.isTodo("max_supported_concurrency"),
                "region-computation",
                model,
                "no regions: max_supported_concurrency has to be a whole number above 32, and is " + largest);
        if (regions != null) {
            places(regions, fixed);
        }
        offline(largest);
        same("config-consistency-dataset", "dataset");
        same("config-consistency-model", "model_name");
        same("seed-set-consistency", "seed_set");
        describesOneSystem(system);
        for (Point each : points) {
            point(each, power);
        }
    }

    private boolean isAgentic() {
        return !points.isEmpty()
                && points.stream().filter(each -> !each.isOffline("dedicated")).allMatch(Point::isAgentic);
    }

    private Point read(Path folder, long concurrency) {
        check.read(folder.resolve("config.yaml"), "config-file-present");
        Path accuracy = folder.resolve("accuracy_results.json");
        return new Point(
                folder,
                concurrency,
                check.read(folder.resolve("point.yaml"), "measurement-points-present"),
                check.read(folder.resolve("result_summary.json"), "result-summary-present"),
                check.read(folder.resolve("system_desc.json"), "system-description-present"),
                Files.isRegularFile(accuracy) && check.read(accuracy, "accuracy-valid") != null);
    }

    /** Each region has a point, and exactly one result of accuracy; durations are long enough. */
    private void places(CurveRegions regions, List<Long> fixed) {
        Map<String, Long> owners = new HashMap<>();
        List<Long> extra = new ArrayList<>();
        for (Point each : points) {
            Path file = each.folder().resolve("point.yaml");
            if (each.isOffline("dedicated")) {
                continue;
            }
            String name = regions.name(each.concurrency());
            check.require(
                    name != null,
                    "concurrency-in-range",
                    file,
                    each.concurrency() + " is beyond the margin of "
                            + regions.regions().marginTo());
            String declared = each.yaml() == null ? null : each.yaml().text("region");
            if (declared != null && name != null && !declared.equals(name) && !declared.equals("submitters_choice")) {
                check.add(false, "region-placement", file, "region " + declared + " is declared, but it is in " + name);
            }
            if (each.accuracy()
                    && !assign(each.concurrency(), regions, owners, new HashSet<>())
                    && !each.isOffline("elected")) {
                extra.add(each.concurrency());
            }
        }
        for (String name : CurveRegions.MANDATORY) {
            check.require(
                    fixed.stream().anyMatch(each -> regions.mandatory(each).contains(name)),
                    name.replace('_', '-').replace("-concurrency", "-concurrency-coverage"),
                    model,
                    "no point in the region " + name);
            check.require(
                    owners.containsKey(name),
                    "accuracy-coverage",
                    model,
                    "no accuracy_results.json of a point in " + name);
        }
        check.require(
                extra.isEmpty(), "accuracy-coverage", model, "more than one result of accuracy in a region: r" + extra);
    }

    /** Gives a point's accuracy result a region, moving those of others where that makes room: an augmenting path. */
    private static boolean assign(long point, CurveRegions regions, Map<String, Long> owners, Set<String> seen) {
        for (String name : regions.mandatory(point)) {
            Long owner = owners.get(name);
            if (seen.add(name) && (owner == null || assign(owner, regions, owners, seen))) {
                owners.put(name, point);
                return true;
            }
        }
        return false;
    }

    private void offline(@Nullable Long largest) {
        List<Point> declared = points.stream()
                .filter(each -> each.isOffline("dedicated") || each.isOffline("elected"))
                .toList();
        int wanted = isAgentic() ? 0 : 1;
        check.require(
                declared.size() == wanted,
                "offline-point-present",
                model,
                declared.size() + " points are declared Offline, not " + wanted);
        for (Point each : declared) {
            check.require(
                    largest == null || !each.isOffline("elected") || each.concurrency() == largest,
                    "offline-point-present",
                    each.folder(),
                    "only the point at max_supported_concurrency can be elected");
            check.require(
                    each.accuracy(),
                    "accuracy-coverage",
                    each.folder(),
                    "the Offline point has no accuracy_results.json");
        }
    }

    private void same(String rule, String field) {
        Set<Object> values = new HashSet<>();
        points.stream()
                .map(Point::yaml)
                .filter(Objects::nonNull)
                .filter(each -> each.has(field))
                .forEach(each -> values.add(String.valueOf(each.map().get(field))));
        check.require(values.size() <= 1, rule, model, field + " differs between points: " + values);
    }

    private void describesOneSystem(Node first) {
        Function<Node, Map<Object, Object>> identity = node -> {
            Map<Object, Object> fields = new HashMap<>(node.map());
            fields.keySet().removeAll(PER_POINT);
            return fields;
        };
        double peak = 0;
        for (Point each : points) {
            Double tokens = each.tokensPerSecond();
            peak = Math.max(peak, tokens == null ? 0 : tokens);
        }
        for (Point each : points) {
            Path file = each.folder().resolve("system_desc.json");
            Node system = each.system();
            if (system == null) {
                continue;
            }
            check.require(
                    identity.apply(system).equals(identity.apply(first)),
                    "system-description-consistency",
                    file,
                    "it describes another system than the first point's");
            Double share = system.number("tps_utilization");
            Double tokens = each.tokensPerSecond();
            check.require(
                    share == null || tokens == null || Math.abs(share - tokens / peak) <= UTILIZATION_TOLERANCE,
                    "tps-utilization",
                    file,
                    "tps_utilization is not the point's part of the curve's largest system_tps");
        }
        PointCheck.system(check, first, points.get(0).folder().resolve("system_desc.json"));
    }

    private void point(Point point, @Nullable ProvisionedPower power) {
        Node yaml = point.yaml();
        Node summary = point.summary();
        Path file = point.folder().resolve("point.yaml");
        PointCheck rules = new PointCheck(check, file, point.isOffline("dedicated"));
        if (yaml != null) {
            Long concurrency = yaml.whole("concurrency");
            check.require(
                    concurrency != null && concurrency == point.concurrency(),
                    "point-dirname-concurrency",
                    file,
                    "concurrency " + concurrency + " is not that of the directory");
            check.require(
                    yaml.text("model_name") == null || model.endsWith(String.valueOf(yaml.text("model_name"))),
                    "model-name-consistency",
                    file,
                    "model_name is not the name of the model's directory");
            rules.disclosure(yaml);
        }
        if (summary != null) {
            rules.summary(summary, point.folder().resolve("result_summary.json"));
        }
        if (yaml != null && summary != null) {
            rules.duration(yaml, summary, point.concurrency(), isAgentic());
            rules.power(yaml, summary, power, point.tokensPerSecond());
        }
    }
}
