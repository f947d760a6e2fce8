package io.metricsaggregator.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class GoldenOptionsTest {
    private static final Map<String, String> LABELS = Map.of("model", "m/one");

    @TempDir
    Path directory;

    private static GoldenOptions parsed(String... arguments) {
        GoldenOptions options = new GoldenOptions();
        CommandLine line = new CommandLine(new Command());
        line.addMixin("golden", options);
        line.parseArgs(arguments);
        return options;
    }

    @CommandLine.Command(name = "test")
    private static final class Command {}

    private GoldenOptions of(String text) throws IOException {
        Path file = directory.resolve("golden.json");
        Files.writeString(file, text);
        return parsed("--golden-al", file.toString());
    }

    @Test
    void aFileHasOneNumberOrThoseOfModelsByTheLabelOfTheRun() throws IOException {
        assertThat(of("2.99\n").build(Map.of())).isEqualTo(2.99);
        assertThat(of("{\"m/one\": 3.39, \"two\": 2}").build(LABELS)).isEqualTo(3.39);
        assertThat(of("{\"m/one\": 3}").build(LABELS)).isEqualTo(3);
        assertThat(parsed().build(LABELS)).isNull();
    }

    @Test
    void aMapWithoutTheModelOfTheRunIsRefusedWithThatModel() throws IOException {
        GoldenOptions options = of("{\"two\": 2}");
        assertThatThrownBy(() -> options.build(LABELS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("golden.json: null, for the run's label model 'm/one', is not");
        assertThatThrownBy(() -> options.build(Map.of())).hasMessageContaining("label model ''");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0.9", "-1", "NaN", "Infinity", "{\"m/one\": \"3\"}", "{\"m/one\": null}", "{\"m/one\": [3]}"})
    void whatIsNoLengthIsRefused(String text) throws IOException {
        GoldenOptions options = of(text);
        assertThatThrownBy(() -> options.build(LABELS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not an acceptance length");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "three", "[3]", "{", "{\"m/one\": 3} 4"})
    void whatIsNeitherANumberNorAMapIsRefused(String text) throws IOException {
        GoldenOptions options = of(text);
        assertThatThrownBy(() -> options.build(LABELS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is neither a number nor a JSON map");
    }
}
