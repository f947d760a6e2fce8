package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.codec.JsonTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code steady_state.json} of an event log with retries, errors, first turns and answers of a single chunk equals what the functions of MLCommons'
 * {@code steady_state_diagnostics.py} (commit 5606359) compute from the same log and tokenizer, every leaf to 1e-9.
 */
class SteadyDiagnosticsIT {
    private static final double RELATIVE = 1e-9;

    @TempDir
    Path directory;

    private static byte[] resource(String name) throws IOException {
        try (InputStream file =
                        Objects.requireNonNull(SteadyDiagnosticsIT.class.getResourceAsStream("/steady/" + name));
                InputStream content = new GZIPInputStream(file)) {
            return content.readAllBytes();
        }
    }

    private static void run(String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isZero();
        }
    }

    @Test
    void anEventLogHasTheDiagnosticsOfMlcommons() throws Exception {
        Path events = directory.resolve("events.jsonl");
        Files.write(events, resource("events.jsonl.gz"));
        String journal = directory.resolve("journal").toString();
        String output = directory.resolve("out").toString();
        run("import", "endpoints", events.toString(), "--journal", journal);
        run(
                "replay",
                journal,
                "--superpass-size",
                "50",
                "--streaming",
                "--tokenizer",
                Path.of(
                                System.getProperty("golden.dir", "../quality/golden"),
                                "endpoints",
                                "tokenizers",
                                "char",
                                "tokenizer.json")
                        .toString(),
                "--output-dir",
                output);
        Map<String, Object> actual = JsonTree.read(Files.readAllBytes(Path.of(output, "steady_state.json")));
        compare("", JsonTree.read(resource("steady_state.json.gz")), actual);
    }

    private static void compare(String path, @Nullable Object expected, @Nullable Object actual) {
        if (expected instanceof Map<?, ?> map) {
            Map<?, ?> other = (Map<?, ?>) Objects.requireNonNull(actual, path);
            assertThat(List.copyOf(other.keySet())).as(path).isEqualTo(List.copyOf(map.keySet()));
            map.forEach((key, value) -> compare(path + "." + key, value, other.get(key)));
        } else if (expected instanceof List<?> list) {
            List<?> other = (List<?>) Objects.requireNonNull(actual, path);
            assertThat(other).as(path).hasSameSizeAs(list);
            for (int i = 0; i < list.size(); i++) {
                compare(path + "[" + i + "]", list.get(i), other.get(i));
            }
        } else if (expected instanceof Number number) {
            assertThat(((Number) Objects.requireNonNull(actual, path)).doubleValue())
                    .as(path)
                    .isCloseTo(number.doubleValue(), within(RELATIVE * Math.max(1e-6, Math.abs(number.doubleValue()))));
        } else {
            assertThat(actual).as(path).isEqualTo(expected);
        }
    }
}
