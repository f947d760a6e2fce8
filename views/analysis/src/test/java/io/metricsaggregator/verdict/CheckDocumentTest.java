package io.metricsaggregator.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks that the table of docs/reference.md between {@code <!-- checks -->} and {@code <!-- end of checks -->} equals the list of checks.
 * {@code mvn -pl views/analysis -am test -Dtest=CheckDocumentTest -Dsurefire.failIfNoSpecifiedTests=false -Dchecks.write=true} rewrites it.
 */
class CheckDocumentTest {
    private static final Path PAGE = Path.of(System.getProperty("project.root"), "docs", "reference.md");
    private static final String START = "<!-- checks -->";
    private static final String END = "<!-- end of checks -->";

    @Test
    void thePageListsEveryCheckWithItsThresholds() throws IOException {
        String table = "\n\n| Check | Effect |\n|---|---|\n"
                + Checks.ALL.stream()
                        .map(each -> "| " + each.name() + " | " + each.effect() + " |\n")
                        .collect(Collectors.joining())
                + "\n";
        String page = Files.readString(PAGE);
        int start = page.indexOf(START) + START.length();
        int end = page.indexOf(END);
        if (Boolean.getBoolean("checks.write")) {
            page = page.substring(0, start) + table + page.substring(end);
            Files.writeString(PAGE, page);
            end = page.indexOf(END);
        }
        assertThat(page.substring(start, end))
                .as("table of checks in docs/reference.md; the option -Dchecks.write=true of this test writes it")
                .isEqualTo(table);
    }

    @Test
    void everyCheckHasANameOfItsOwn() {
        assertThat(Checks.ALL).extracting(Check::name).doesNotHaveDuplicates();
    }
}
