package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.cli.options.SizeConverter;
import io.metricsaggregator.cli.options.SocketDirectory;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes and socket names on the command line. */
class OptionValuesTest {

    @ParameterizedTest
    @ValueSource(strings = {"512", "1", "4095"})
    void a_size_below_4096_needs_a_unit(String text) {
        assertThatThrownBy(() -> new SizeConverter().convert(text))
                .hasMessage("'" + text + "' has no unit: write " + text + "m, or " + text + "b for bytes");
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
