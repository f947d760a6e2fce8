package io.metricsaggregator.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class FailureOptionsTest {
    private static FailureOptions parsed(String... arguments) {
        FailureOptions options = new FailureOptions();
        CommandLine line = new CommandLine(new Command());
        line.addMixin("failures", options);
        line.parseArgs(arguments);
        return options;
    }

    @CommandLine.Command(name = "test")
    private static final class Command {}

    @ParameterizedTest
    @CsvSource({"5%, 0.05", "0.05, 0.05", "0, 0", "0.5%, 0.005", "50%, 0.5"})
    void aShareIsANumberOrAPercentage(String text, double share) {
        assertThat(parsed("--max-failed", text).build()).isEqualTo(share);
    }

    @ParameterizedTest
    @ValueSource(strings = {"51%", "5", "-1%", "few", "%", "NaN"})
    void anythingElseIsRefusedByName(String text) {
        assertThatThrownBy(() -> parsed("--max-failed", text).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--max-failed '" + text + "' is not a share from 0 to 50%");
    }

    @Test
    void withoutTheOptionTheRunsOwnLimitStays() {
        assertThat(parsed().build()).isNull();
    }
}
