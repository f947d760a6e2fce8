package io.metricsaggregator.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunLabelsTest {
    @Test
    void labelsAreReadInOrderAndTheLaterOfTwoCounts() {
        assertThat(RunLabels.parse(List.of("engine=vllm=0.9", "concurrency=8", "concurrency=64")))
                .containsExactly(Map.entry("engine", "vllm=0.9"), Map.entry("concurrency", "64"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"concurrency", "=64", "a=", "a b=1", "1a=1", "a=two\nlines", "a=\u0000"})
    void whatIsNoLabelIsRefused(String text) {
        assertThatThrownBy(() -> RunLabels.parse(List.of(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--label '" + text + "' is not NAME=VALUE");
    }

    @Test
    void thirtyThreeLabelsAreOneTooMany() {
        assertThatThrownBy(() -> RunLabels.parse(
                        IntStream.range(0, 33).mapToObj(i -> "l" + i + "=1").toList()))
                .hasMessage("--label is given 33 times; a run has at most 32");
    }
}
