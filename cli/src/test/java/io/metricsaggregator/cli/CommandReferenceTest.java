package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Checks that docs/cli.md is the page generated from the commands. */
class CommandReferenceTest {
    private static final Path PAGE = Path.of("..", "docs", "cli.md");

    /** To rewrite the page: {@code mvn -pl cli -am test -Dtest=CommandReferenceTest -Dcli.reference=write}. */
    @Test
    void the_command_line_page_matches_the_help_of_every_command() throws IOException {
        String expected = CommandReference.render(Main.documentation());
        if ("write".equals(System.getProperty("cli.reference"))) {
            Files.writeString(PAGE, expected);
        }
        assertThat(PAGE)
                .as("docs/cli.md; rewrite it with -Dcli.reference=write")
                .content()
                .isEqualTo(expected);
    }
}
