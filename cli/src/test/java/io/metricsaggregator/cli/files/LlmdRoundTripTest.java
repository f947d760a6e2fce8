package io.metricsaggregator.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.cli.Main;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run as a Benchmark Report, the report as a run again, and that one as a report: the figures of both reports are the same. */
class LlmdRoundTripTest {
    @TempDir
    private Path folder;

    private static void run(Object... arguments) {
        String[] words = Stream.of(arguments).map(String::valueOf).toArray(String[]::new);
        assertThat(Main.commands(words[0]).execute(words)).isZero();
    }

    private static String report(Path run) throws IOException {
        return ReportFormat.LLMD.render(Report.of(FinalSnapshotFile.read(run)), false);
    }

    /** The numbers of a report by their paths. */
    private static void numbers(String path, Object value, Map<String, Double> into) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, each) -> numbers(path + "." + name, each, into));
        } else if (value instanceof Number number) {
            into.put(path, number.doubleValue());
        }
    }

    private static Map<String, Double> numbers(String report) throws Exception {
        Map<String, Double> numbers = new TreeMap<>();
        numbers("", JsonTree.read(report.getBytes(StandardCharsets.UTF_8)).get("results"), numbers);
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"vllm/clean/result.json", "vllm/failures/result.json"})
    void the_figures_of_a_report_come_back(String tool) throws Exception {
        Path real = Path.of("../tools/imports/src/test/resources/real").resolve(tool);
        assumeThat(real).exists();
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");
        run("import", "auto", real, "--output-dir", first);
        String written = report(first);
        Path file = Files.writeString(folder.resolve("report.json"), written);
        run("import", "auto", file, "--summary", "--output-dir", second);

        Map<String, Double> again = numbers(report(second));
        Map<String, Object> kept =
                FinalSnapshotFile.read(second).extensions().run().imported().toolFigures();
        int compared = 0;
        for (Map.Entry<String, Double> figure : numbers(written).entrySet()) {
            if (figure.getKey().contains("inter_token_latency")) {
                // Without a number of values they are no series, but figures of the tool.
                assertThat(kept)
                        .containsEntry(
                                figure.getKey().replace(".request_performance.aggregate.", ""), figure.getValue());
            } else {
                // Sums of squares lose digits where values are close together.
                double precision = figure.getKey().endsWith("stddev") ? 1e-6 : 1e-9;
                assertThat(again.get(figure.getKey()))
                        .as(figure.getKey())
                        .isNotNull()
                        .isCloseTo(figure.getValue(), within(precision * Math.abs(figure.getValue())));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(60);
    }
}
