package io.metricsaggregator.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The tables of rules and producer cases in docs/conformance.md equal the kit; {@code -Dconformance.write=true} rewrites them. */
class RulesPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "conformance.md");

    private static String rules() {
        StringBuilder text = new StringBuilder("| Rule | Meaning | How to mend it |\n|---|---|---|\n");
        for (Rule rule : Rule.values()) {
            text.append("| `")
                    .append(rule.id())
                    .append("` | ")
                    .append(rule.meaning())
                    .append(" | ")
                    .append(rule.remedy())
                    .append(" |\n");
        }
        return text.toString();
    }

    private static String producerCases() throws IOException {
        StringBuilder text = new StringBuilder("| Case | Level | Purpose |\n|---|---|---|\n");
        try (Suite kit = Suite.open(null)) {
            for (Path file : kit.producerCases("*")) {
                Script script = Script.read(file);
                text.append("| `")
                        .append(script.name())
                        .append("` | ")
                        .append(script.level().number())
                        .append(" | ")
                        .append(script.description())
                        .append(" |\n");
            }
        }
        return text.toString();
    }

    @Test
    void the_page_lists_every_rule_with_its_meaning_and_remedy() throws IOException {
        requireTable("rules", rules());
    }

    @Test
    void the_page_lists_every_producer_case_with_its_level_and_purpose() throws IOException {
        requireTable("cases", producerCases());
    }

    private static void requireTable(String name, String table) throws IOException {
        String page = Files.readString(PAGE);
        String begin = "<!-- " + name + ": generated -->\n";
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf("<!-- end of " + name + " -->\n");
        assertThat(from).isBetween(begin.length(), to);
        if (Boolean.getBoolean("conformance.write")) {
            Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
        } else {
            assertThat(page.substring(from, to)).isEqualTo(table);
        }
    }

    @Test
    void the_page_names_every_subscriber_case() throws IOException {
        String page = Files.readString(PAGE);
        try (Suite kit = Suite.open(null)) {
            for (Path folder : kit.subscriberCases("*")) {
                assertThat(page).contains("`" + folder.getFileName() + "`");
            }
        }
    }
}
