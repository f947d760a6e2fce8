package io.metricsaggregator.report.submission;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one point.
 *
 * @param check receives the findings
 * @param file its {@code point.yaml}
 * @param dedicated whether it is a dedicated Offline run, to which the rules of latency and load do not apply
 */
record PointCheck(Findings check, Path file, boolean dedicated) {
    private static final Set<String> STATUSES =
            Set.of("windowable", "insufficient_duration", "insufficient_passes", "partial_dataset");
    private static final Set<String> VERDICTS =
            Set.of("STEADY STATE", "drifting_up", "drifting_down", "anomaly", "not found");
    private static final Set<String> STATES = Set.of("Plateau", "Drifting Up", "Drifting Down");
    private static final Set<String> PATTERNS = Set.of("concurrency", "agentic_inference");
    private static final int PASSES_MIN = 4;
    private static final double TOLERANCE = 0.01;

    /** The required fields of a system description. */
    static void system(Findings check, Node system, Path file) {
        List<String> missing = new ArrayList<>();
        for (String each : List.of(
                "system_name",
                "system_availability_status",
                "system_size",
                "system_node_ensemble_count",
                "system_node_ensemble_total",
                "shortened_system_name",
                "division")) {
            if (!system.has(each)) {
                missing.add(each);
            }
        }
        if (system.nodes("node_types").isEmpty()) {
            missing.add("node_types");
        }
        for (Node type : system.nodes("node_types")) {
            for (String each :
                    List.of("host_memory_configuration", "host_network_card_count", "driver", "filesystem")) {
                if (!type.has(each)) {
                    missing.add(type.label() + "." + each);
                }
            }
            if (!type.has("host_processor_core_count") && !type.has("host_processor_vcpu_count")) {
                missing.add(type.label() + ".host_processor_core_count");
            }
        }
        check.require(missing.isEmpty(), "system-description-valid", file, "missing: " + String.join(", ", missing));
        String shortened = system.text("shortened_system_name");
        check.require(
                shortened == null || shortened.length() <= 20,
                "system-description-valid",
                file,
                "shortened_system_name has more than 20 characters");
    }

    void disclosure(Node yaml) {
        List<String> missing = new ArrayList<>(Forms.DISCLOSURE);
        missing.addAll(List.of("max_supported_concurrency", "shared_src", "shared_docs"));
        missing.removeIf(yaml::has);
        check.require(missing.isEmpty(), "point-disclosure-complete", file, "missing: " + String.join(", ", missing));
        for (String each : List.of("shared_src", "shared_docs")) {
            String path = yaml.text(each);
            check.require(
                    path == null || check.resolves(path),
                    "shared-path-resolution",
                    file,
                    each + " '" + path + "' is no directory of the submission");
        }
        String cohort = yaml.text("target_cohort");
        check.require(
                cohort == null || cohort.matches("\\d{4}-\\d{2}-C[01]"),
                "target-cohort",
                file,
                "target_cohort '" + cohort + "' is not of the form YYYY-MM-C0 or -C1");
        Node settings = yaml.node("runtime_settings");
        String pattern = settings == null ? null : settings.text("load_pattern");
        check.require(
                settings != null && settings.node("runtime") != null,
                "point-config-valid",
                file,
                "runtime_settings.runtime is missing");
        check.require(
                dedicated || pattern == null || PATTERNS.contains(pattern),
                "load-pattern",
                file,
                "load_pattern '" + pattern + "' does not hold a concurrency");
        Node warmup = yaml.node("warmup");
        check.require(warmup != null, "warmup-present", file, "warmup is missing");
        Double duration = warmup == null ? null : warmup.number("duration_s");
        if (warmup != null && duration != null && duration > 0 && !warmup.isTrue("logs_retained")) {
            check.add(false, "warmup-logs-retained", file, "the logs of the warm-up are not declared as kept");
        }
        steady(yaml.node("steady_state"));
    }

    private void steady(@Nullable Node steady) {
        if (steady == null) {
            check.add(false, "steady-state-basis", file, "no steady_state: figures are of the whole run");
            return;
        }
        String status = String.valueOf(steady.text("status"));
        Node window = steady.node("window");
        Map<?, ?> states = steady.map().get("state") instanceof Map<?, ?> map ? map : Map.of();
        check.require(
                STATUSES.contains(status)
                        && VERDICTS.contains(String.valueOf(steady.text("verdict")))
                        && STATES.containsAll(states.values()),
                "steady-state-valid",
                file,
                "status, verdict or state is not a word of the rules");
        boolean official = status.equals("windowable");
        Long from = window == null ? null : window.whole("super_pass_start");
        Long to = window == null ? null : window.whole("super_pass_end");
        boolean few = from != null && to != null && to - from + 1 < PASSES_MIN;
        boolean drifts =
                states.values().stream().anyMatch(each -> String.valueOf(each).startsWith("Drifting"));
        check.require(
                !official || (!few && !drifts),
                "steady-state-consistency",
                file,
                "status windowable with fewer than 4 super-passes or a drifting figure");
        if (!official) {
            check.add(false, "steady-state-basis", file, "status " + status + ": figures are of the whole run");
        }
    }

    void summary(Node summary, Path where) {
        Double nanos = summary.number("duration_ns");
        Long issued = summary.whole("n_samples_issued");
        Long completed = summary.whole("n_samples_completed");
        Long failed = summary.whole("n_samples_failed");
        check.require(
                nanos != null && completed != null,
                "result-file-valid",
                where,
                "n_samples_completed or duration_ns is not a number");
        check.require(nanos == null || nanos > 0, "metric-consistency-duration", where, "duration_ns is not above 0");
        long accounted = (completed == null ? 0 : completed) + (failed == null ? 0 : failed);
        check.require(
                issued == null || issued == 0 || issued == accounted,
                "metric-consistency-accounting",
                where,
                issued + " samples issued, but " + accounted + " completed or failed");
        Node tpot = summary.node("tpot");
        Node percentiles = tpot == null ? null : tpot.node("percentiles");
        Double p90 = percentiles == null ? null : percentiles.number(percentiles.has("90.0") ? "90.0" : "90");
        check.require(
                dedicated || (p90 != null && p90 > 0),
                "metric-consistency-tpot-p90",
                where,
                "no 90th percentile of tpot: the run had no streamed outputs, or they were not counted");
        if (Boolean.FALSE.equals(summary.map().get("complete"))) {
            check.add(false, "run-complete", where, "the run did not end complete; the checker does not read this");
        }
    }

    void duration(Node yaml, Node summary, long concurrency, boolean agentic) {
        Node steady = yaml.node("steady_state");
        Node window = steady == null ? null : steady.node("window");
        Double seconds = window == null ? null : window.number("duration_s");
        Double nanos = summary.number("duration_ns");
        double least = CurveRegions.secondsMin(concurrency, agentic);
        Double held = seconds != null ? seconds : nanos == null ? null : (Double) (nanos / 1e9);
        if (!dedicated && held != null && held < least) {
            check.add(false, "point-duration", file, held + " s are less than the " + least + " s demanded");
        }
    }

    void power(Node yaml, Node summary, @Nullable ProvisionedPower power, @Nullable Double tokens) {
        if (power == null) {
            return;
        }
        List<String> problems = new ArrayList<>();
        Map<Long, Long> used = power.nodesUsed(yaml, problems);
        problems.forEach(each -> check.add(true, "nodes-used", file, each));
        Double kilowatts = used == null ? null : power.pointKilowatts(used);
        Double stated = summary.number("system_tps_per_kw");
        check.require(
                kilowatts == null
                        || tokens == null
                        || stated == null
                        || Math.abs(stated * kilowatts / tokens - 1) <= TOLERANCE,
                "metric-consistency-tps-per-kw",
                file,
                "system_tps_per_kw is " + stated + ", but " + tokens + " tokens/s take " + kilowatts + " kW");
    }
}
