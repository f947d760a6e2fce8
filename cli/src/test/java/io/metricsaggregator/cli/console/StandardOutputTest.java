package io.metricsaggregator.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
    private final PrintStream standardError = System.err;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    /** Takes some bytes, then fails once. */
    private static final class Disk extends OutputStream {
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        private final String failure;
        private boolean failed;

        Disk(String failure) {
            this.failure = failure;
        }

        @Override
        public void write(int value) throws IOException {
            if (content.size() == 3 && !failed) {
                failed = true;
                throw new IOException(failure);
            }
            content.write(value);
        }
    }

    @AfterEach
    void restore() {
        System.setErr(standardError);
    }

    private int status(StandardOutput output, int status) {
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        return output.status(status);
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void output_that_was_written_leaves_the_status_as_it_is() throws IOException {
        StandardOutput output = new StandardOutput(new ByteArrayOutputStream());
        output.write("all".getBytes(StandardCharsets.UTF_8));
        assertThat(status(output, 7)).isEqualTo(7);
        assertThat(said()).isEmpty();
    }

    @Test
    void the_cause_survives_a_print_stream_and_the_status_says_that_output_is_missing() {
        StandardOutput output = new StandardOutput(new Disk("No space left on device"));
        new PrintStream(output, true, StandardCharsets.UTF_8).println("a report");
        assertThat(status(output, 0)).isEqualTo(4);
        assertThat(said()).isEqualTo("metrics-aggregator: cannot write to standard output: No space left on device\n");
        assertThat(status(output, 8)).isEqualTo(4);
        assertThat(status(output, 5)).as("the final snapshot is not durable").isEqualTo(5);
        assertThat(status(output, 70)).as("an internal error").isEqualTo(70);
    }

    @Test
    void after_a_failure_nothing_is_written_so_that_the_output_has_no_gap() {
        Disk disk = new Disk("No space left on device");
        StandardOutput output = new StandardOutput(disk);
        byte[] text = "a report".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> output.write(text, 0, text.length))
                    .isInstanceOf(StandardOutput.FailedException.class);
        }
        assertThat(disk.content.toString(StandardCharsets.UTF_8)).isEqualTo("a r");
    }

    @Test
    void a_reader_that_closes_its_pipe_is_no_error() {
        StandardOutput output = new StandardOutput(new Disk("Broken pipe"));
        new PrintStream(output, true, StandardCharsets.UTF_8).println("a report");
        assertThat(status(output, 0)).isZero();
        assertThat(said()).isEmpty();
    }
}
