package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MLCommons' own checker accepts the tree of a synthetic curve of eight points, and refuses what our check refuses. */
class SubmissionIT {
    private static final long SECOND = 1_000_000_000L;
    private static final int SAMPLES = 900;
    private static final int[] LEVELS = {8, 12, 32, 64, 128, 256, 384, 512};
    private static final List<Integer> WITH_ACCURACY = List.of(8, 12, 64, 512);
    private static final String CHECKER = "from submission_checker.cli import main; main()";

    @TempDir
    Path directory;

    private record Event(long nanos, String type, String sample, String data) {
        String line() {
            return "{\"event_type\":\"" + type + "\",\"timestamp_ns\":" + nanos + ",\"sample_uuid\":\"" + sample
                    + "\",\"conversation_id\":\"\",\"turn\":null,\"data\":" + data + "}\n";
        }
    }

    /** A run of 30 minutes at a steady level, as the load generator logs it. */
    private static String events(int concurrency) {
        Random random = new Random(concurrency);
        List<Event> events = new ArrayList<>();
        events.add(new Event(0, "session.started", "", "null"));
        events.add(new Event(0, "session.start_performance_tracking", "", "null"));
        long last = 0;
        for (int i = 0; i < SAMPLES; i++) {
            long issued = 1 + i * 2 * SECOND + random.nextInt(500_000_000);
            long first = issued + SECOND / 5 + random.nextInt(20_000_000);
            int length = 20 + random.nextInt(4);
            long complete = first + length * (20_000_000L + random.nextInt(1_000_000));
            events.add(new Event(issued, "sample.issued", "s" + i, "null"));
            events.add(new Event(first, "sample.recv_first", "s" + i, "null"));
            String text = "[\"TextModelOutput\",[\"" + "a".repeat(length) + "\",\"" + "b".repeat(concurrency / 8)
                    + "\"],null,null]";
            events.add(new Event(complete, "sample.complete", "s" + i, text));
            last = Math.max(last, complete);
        }
        events.add(new Event(last + 1, "session.stop_performance_tracking", "", "null"));
        events.add(new Event(last + 2, "session.ended", "", "null"));
        events.sort(Comparator.comparingLong(Event::nanos));
        StringBuilder lines = new StringBuilder();
        events.forEach(each -> lines.append(each.line()));
        return lines.toString();
    }

    private void measure(int concurrency) throws IOException {
        Path run = Files.createDirectories(directory.resolve("runs").resolve("c" + concurrency));
        Path events = Files.writeString(directory.resolve("events-" + concurrency + ".jsonl"), events(concurrency));
        String journal = directory.resolve("journal-" + concurrency).toString();
        run(0, "import", "endpoints", events.toString(), "--journal", journal);
        run(
                0,
                "replay",
                journal,
                "--superpass-size",
                "100",
                "--streaming",
                "--label",
                "concurrency=" + concurrency,
                "--tokenizer",
                Path.of(System.getProperty("golden.dir", "../quality/golden"))
                        .resolve("endpoints/tokenizers/char/tokenizer.json")
                        .toString(),
                "--output-dir",
                run.resolve("metrics").toString());
        Files.writeString(run.resolve("config.yaml"), """
                model_params: {name: deepseek-ai/deepseek-r1, seed: 9315206023656308754}
                datasets: [{name: example, type: performance}]
                settings:
                  runtime:
                    min_duration_ms: 600000
                    scheduler_random_seed: 10487924139932647040
                    dataloader_random_seed: 586478644936801402
                  load_pattern: {type: concurrency, target_concurrency: %d}
                """.formatted(concurrency));
        if (WITH_ACCURACY.contains(concurrency)) {
            Files.writeString(
                    Files.createDirectories(run.resolve("accuracy")).resolve("accuracy_results.json"),
                    "{\"accuracy_scores\": [{\"dataset_name\": \"example\", \"dataset_type\": \"accuracy\","
                            + " \"score\": {\"exact_match\": 0.82}, \"unit_samples\": 4388, \"num_repeats\": 1}]}");
        }
    }

    private static String run(int status, String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isEqualTo(status);
            return process.out();
        }
    }

    private static String source(String value) {
        return "{" + value + ", \"source_type\": \"vendor_spec\", \"source\": \"https://example.org/specification\"}";
    }

    private void state() throws IOException {
        Files.writeString(directory.resolve("system.json"), """
                {"system_name": "ex 8x", "shortened_system_name": "ex8", "system_availability_status": "Available",
                 "availability_url": "https://example.org", "division": "Standardized", "system_size": "8 nodes",
                 "system_node_ensemble_count": 1, "system_node_ensemble_total": 8,
                 "tensor_parallel": 8, "pipeline_parallel": 1, "expert_parallel": 1, "data_parallel": 8,
                 "node_types": [{"system_node_ensemble_id": 1, "number_of_nodes": 8, "host_processor_core_count": 64,
                   "host_memory_configuration": "x", "host_network_card_count": "1", "driver": "1", "filesystem": "ext4",
                   "cooling": "air", "accelerator_info": [{"accelerators_per_node": 8}]}]}""");
        Files.writeString(directory.resolve("power.json"), """
                {"system_desc_id": "ex_8x", "cooling": "air", "node_sets": [{"node_set_id": 1, "system_node_ensemble_id": 1,
                  "nodes_provisioned": 8, "power_method": "component_sum", "components": {
                    "cpu": {"count_per_node": 2, "tdp_per_unit": CPU}, "accelerator": {"count_per_node": 8, "tdp_per_unit": GPU},
                    "scale_up_network": {"method": "none"}}}],
                 "scale_out": {"present": true, "cabling": "passive", "required_bandwidth_tbps": 3.2,
                   "nics": {"count_per_node": 1, "bandwidth_per_nic_gbps": 400, "counted": true, "tdp_per_nic": NIC},
                   "switches": [{"model": "x", "count": 1, "bandwidth_tbps": 51.2, "power_per_switch": SWITCH}]}}""".replace("CPU", source("\"value_w\": 350"))
                .replace("GPU", source("\"value_kw\": 1.0"))
                .replace("NIC", source("\"value_w\": 25"))
                .replace("SWITCH", source("\"value_w\": 2000")));
        Files.writeString(directory.resolve("disclosure.yaml"), """
                division: Standardized
                model_precision: fp8
                link_to_model: https://example.org/model
                dataset_name: Example
                dataset_type: Performance
                dataset_link: https://example.org/data
                seed_set: A
                target_cohort: 2026-10-C1
                """);
    }

    /** The errors and warnings of MLCommons' checker. */
    private List<String> theirs(Path tree) throws IOException {
        Path report = directory.resolve("report.json");
        try (RunningProcess checker = new RunningProcess(new ProcessBuilder(
                Python.interpreter(), "-c", CHECKER, "check", tree.toString(), "--strict", "-o", report.toString()))) {
            int status = checker.awaitExit();
            assertThat(report).as("%s", checker).exists();
            List<String> found = new ArrayList<>();
            Map<String, Object> results = JsonTree.read(Files.readString(report).getBytes(StandardCharsets.UTF_8));
            for (Object each : (List<?>) results.get("results")) {
                Map<?, ?> result = (Map<?, ?>) each;
                if (!"INFO".equals(String.valueOf(result.get("severity")).toUpperCase(Locale.ROOT))) {
                    found.add(result.get("rule") + ": " + result.get("message"));
                }
            }
            assertThat(status == 0).as("%s: %s", checker, found).isEqualTo(found.isEmpty());
            return found;
        } catch (MalformedMessageException e) {
            throw new IOException(e);
        }
    }

    @Test
    void the_checker_of_mlcommons_accepts_the_tree_of_a_curve_and_agrees_on_what_is_wrong() throws Exception {
        Python.requireModule("submission_checker");
        for (int level : LEVELS) {
            measure(level);
        }
        state();
        Path output = directory.resolve("tree");
        String said = run(
                0,
                "submission",
                directory.resolve("runs").toString(),
                "-o",
                output.toString(),
                "--org",
                "Example Org",
                "--system",
                directory.resolve("system.json").toString(),
                "--power",
                directory.resolve("power.json").toString(),
                "--disclosure",
                directory.resolve("disclosure.yaml").toString());
        assertThat(said).contains("of 8 points", "r512 is elected", "0 findings would refuse it");
        assertThat(theirs(output.resolve("Example_Org"))).isEmpty();
        assertThat(run(0, "submission", "--check", output.toString(), "--strict"))
                .contains("No rule that is checked here refuses");

        Path curve = output.resolve("Example_Org/pending-submission-id/results/ex_8x/deepseek-r1");
        String summary = Files.readString(curve.resolve("r64/result_summary.json"));
        Files.writeString(
                curve.resolve("r64/result_summary.json"),
                summary.replace("\"n_samples_completed\": 900", "\"n_samples_completed\": 899"));
        Files.delete(curve.resolve("r12/accuracy_results.json"));
        List<String> theirs = theirs(output.resolve("Example_Org"));
        assertThat(theirs).hasSize(2);
        String ours = run(8, "submission", "--check", output.toString());
        for (String each : theirs) {
            assertThat(ours).contains("error " + each.substring(0, each.indexOf(':')) + " ");
        }
        assertThat(ours).contains("2 findings would refuse");

        Path form = directory.resolve("form");
        assertThat(run(0, "submission", directory.resolve("runs").toString(), "-o", form.toString()))
                .contains("point.yaml: division is to be filled in (8 files)");
        assertThat(theirs(form))
                .as("a tree with open fields")
                .isNotEmpty()
                .allMatch(each -> each.matches("(point-config|system-description|target-cohort|seed-|model-|power-).*"
                        + "|.*TODO.*|.*skipped.*|.*rules.*"));
    }
}
