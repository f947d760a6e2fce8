package io.metricsaggregator.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations and objectives on the command line. */
class DurationConverterTest {

    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "0.0, PT0S",
        "250ms, PT0.25S",
        "10s, PT10S",
        "5m, PT5M",
        "1.5h, PT1H30M",
        "100us, PT0.0001S",
        "7ns, PT0.000000007S"
    })
    void durations_with_a_unit_are_parsed(String text, Duration expected) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"500", "0.25", "1"})
    void a_duration_without_a_unit_is_rejected_with_a_suggestion(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text))
                .hasMessage("'" + text + "' has no unit: write " + text + "ms or " + text + "s");
        assertThatThrownBy(() -> new SloConverter().convert("share=95%,ttft=" + text))
                .hasMessageContaining("ttft=" + text)
                .hasMessageContaining("write " + text + "ms or " + text + "s");
    }

    @ParameterizedTest
    @CsvSource({"0.25, PT0.25S", "10, PT10S", "250ms, PT0.25S", "0, PT0S"})
    void options_of_mlcommons_take_bare_numbers_as_seconds(String text, Duration expected) {
        assertThat(new DurationConverter.Seconds().convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1s", "1 day", "1e9", "99999999999999999999h", "ms"})
    void a_malformed_duration_is_named(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text)).hasMessageContaining("'" + text + "'");
    }
}
