package io.metricsaggregator.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.cli.Main;
import io.metricsaggregator.codec.JsonTree;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real process that tells the truth, and the same in each way that it can lie. */
class AuditCommandTest {
    private static final String CLASSES = System.getProperty("java.class.path");

    @TempDir
    private Path folder;

    private int status;

    private String json = "";

    private String audit(String lie, String scenario, String... options) {
        List<String> words = new ArrayList<>(List.of("audit", "--output-dir", folder + "/out"));
        words.addAll(List.of("--scenario", scenario, "--result", folder + "/result*.json", "--timeout", "60s"));
        words.addAll(List.of(options));
        words.addAll(List.of(
                "--", Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", CLASSES, TinyTool.class.getName()));
        words.addAll(List.of("http://127.0.0.1:8000", folder + "/result.json", lie));
        return printed(words);
    }

    private String printed(List<String> words) {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            status = Main.execute(words.toArray(new String[0]));
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private Map<String, String> verdicts(String lie, String scenario) throws Exception {
        json = audit(lie, scenario, "--format", "json");
        Map<?, ?> document = JsonTree.read(json.getBytes(StandardCharsets.UTF_8));
        Map<?, ?> run = (Map<?, ?>) ((List<?>) document.get("scenarios")).get(0);
        Map<String, String> verdicts = new HashMap<>();
        for (Object each : (List<?>) run.get("figures")) {
            Map<?, ?> figure = (Map<?, ?>) each;
            verdicts.put((String) figure.get("name"), (String) figure.get("verdict"));
        }
        return verdicts;
    }

    @Test
    void a_tool_that_tells_the_truth_passes_and_its_trials_do_not_count() throws Exception {
        Map<String, String> verdicts = verdicts("truth", "steady");
        assertThat(verdicts)
                .containsEntry("requests that succeeded", "exact")
                .containsEntry("requests that failed", "exact")
                .containsEntry("total_output_tokens", "exact");
        assertThat(verdicts.get("median_ttft_ms")).as("%s", json).isNotEqualTo("wrong");
        assertThat(Files.readAllLines(folder.resolve("out/steady/served.jsonl")))
                .hasSize(63);
        assertThat(folder.resolve("out/steady/result.json")).exists();
    }

    @Test
    void wrong_times_and_tokens_are_found() throws Exception {
        assertThat(verdicts("half", "steady"))
                .containsEntry("median_ttft_ms", "wrong")
                .containsEntry("total_output_tokens", "exact");
        assertThat(status).isEqualTo(8);
        assertThat(verdicts("tokens", "steady")).containsEntry("total_output_tokens", "wrong");
    }

    @Test
    void failures_that_the_tool_names_are_right_and_those_it_hides_are_silent() throws Exception {
        assertThat(verdicts("truth", "http-500"))
                .containsEntry("warning", "exact")
                .containsEntry("requests that failed", "exact");
        assertThat(verdicts("silent", "resets"))
                .containsEntry("warning", "silent")
                .containsEntry("requests that failed", "wrong");
        assertThat(status).isEqualTo(8);
    }

    @Test
    void an_interrupted_tool_shows_it_by_its_status_and_another_hides_it() throws Exception {
        assertThat(verdicts("truth", "cancelled")).containsEntry("warning", "exact");
        assertThat(verdicts("silent", "cancelled")).containsEntry("warning", "silent");
    }

    @Test
    void a_tool_that_holds_requests_back_in_a_freeze_omits_their_waiting() throws Exception {
        assertThat(verdicts("truth", "freeze")).containsEntry("coordinated_omission", "wrong");
    }

    @Test
    void results_are_also_text_and_junit() {
        String text = audit("half", "steady");
        assertThat(text).contains("steady", "MISLEADING", "median_ttft_ms", "wrong by -", "vLLM");
        assertThat(audit("half", "steady", "--format", "junit"))
                .contains("<testsuite name=\"steady\"", "name=\"median_ttft_ms\"><failure message=\"wrong by -");
    }

    @Test
    void a_tool_without_results_is_not_passed() {
        String text = printed(List.of(
                "audit",
                "--output-dir",
                folder + "/out",
                "--scenario",
                "steady",
                "--",
                "true",
                "http://127.0.0.1:8000"));
        assertThat(text).contains("steady         no figures; the tool wrote no file with results, exit status 0");
        assertThat(status).isEqualTo(11);
    }

    @Test
    void the_list_names_each_scenario_in_one_line() {
        String text = printed(List.of("audit", "--list"));
        assertThat(text.lines()).hasSizeGreaterThanOrEqualTo(12).allMatch(line -> line.matches("[a-z0-9-]+ +.+"));
        assertThat(printed(List.of("audit", "--list", "--scenario", "freeze", "--full-freeze")))
                .contains("after 10 s nothing moves for 2 s");
    }

    @Test
    void an_unknown_scenario_is_refused() {
        printed(List.of("audit", "--list", "--scenario", "fast"));
        assertThat(status).isEqualTo(2);
    }
}
