package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** docs/cli.md is what the commands say of themselves. */
class CommandReferenceTest {
    private static final Path PAGE = Path.of("..", "docs", "cli.md");

    /** To write the page anew: {@code mvn -pl cli -am test -Dtest=CommandReferenceTest -Dcli.reference=write}. */
    @Test
    void theCommandLinePageListsEveryCommandAndOptionAsItsHelpDoes() throws IOException {
        String expected = CommandReference.render(Main.documentation());
        if ("write".equals(System.getProperty("cli.reference"))) {
            Files.writeString(PAGE, expected);
        }
        assertThat(PAGE)
                .as("docs/cli.md; write it anew with -Dcli.reference=write")
                .content()
                .isEqualTo(expected);
    }
}
