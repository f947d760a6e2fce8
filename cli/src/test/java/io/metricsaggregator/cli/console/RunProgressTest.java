package io.metricsaggregator.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Progress over several runs")
class RunProgressTest {
    private static final long TENTH = 100_000_000L;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private long nanos = 5;

    /** Takes a number of runs, each in a tenth of a second. */
    private String output(int runs, boolean shown) {
        RunProgress progress = new RunProgress(
                "read", runs, shown, () -> nanos, new PrintStream(written, true, StandardCharsets.UTF_8));
        for (int i = 0; i < runs; i++) {
            nanos += TENTH;
            progress.step();
        }
        progress.end("merging");
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_line_a_second_and_one_at_the_end() {
        assertThat(output(25, true).lines())
                .containsExactly("read 10 of 25 runs", "read 20 of 25 runs", "read all 25 runs; merging");
    }

    @Test
    void nothing_is_printed_in_the_first_second() {
        assertThat(output(9, true)).isEmpty();
    }

    @Test
    void nothing_is_printed_if_standard_error_is_no_terminal() {
        assertThat(output(25, false)).isEmpty();
    }
}
