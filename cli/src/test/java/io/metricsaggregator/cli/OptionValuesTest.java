package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations, sizes and socket names on the command line. */
class OptionValuesTest {

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
    @ValueSource(strings = {"512", "1", "4095"})
    void a_size_below_4096_needs_a_unit(String text) {
        assertThatThrownBy(() -> new SizeConverter().convert(text))
                .hasMessage("'" + text + "' has no unit: write " + text + "m, or " + text + "b for bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1s", "1 day", "1e9", "99999999999999999999h", "ms"})
    void a_malformed_duration_is_named(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text)).hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "4096, 4096", "512b, 512", "64k, 65536", "16MiB, 16777216", "2g, 2147483648", "1GB, 1073741824"
    })
    void sizes_are_parsed_with_powers_of_1024(String text, long expected) {
        assertThat(new SizeConverter().convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "lots", "-1", "1.5m", "12t", "99999999999999"})
    void a_malformed_size_is_named(String text) {
        assertThatThrownBy(() -> new SizeConverter().convert(text)).hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "events",
                "a",
                "metrics-socket_1.sock",
                "...",
                "0123456789012345678901234567890123456789012345678901234567890123"
            })
    void a_socket_name_stays_in_its_directory(String name) {
        SocketDirectory directory = new SocketDirectory(Path.of("/run/x"));
        assertThat(directory.endpoint("--socket-name", name, true).address()).isEqualTo("/run/x/" + name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../x",
                "a/b",
                "/etc/passwd",
                "%2e%2e",
                "a b",
                "a\0b",
                "ｅvents",
                "\u2024\u2024",
                "@x",
                "01234567890123456789012345678901234567890123456789012345678901234"
            })
    void a_socket_name_that_could_leave_its_directory_is_rejected(String name) {
        SocketDirectory directory = new SocketDirectory(Path.of("/run/x"));
        assertThatThrownBy(() -> directory.endpoint("--socket-name", name, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--socket-name");
    }
}
