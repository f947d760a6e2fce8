package io.metricsaggregator.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of rules in docs/conformance.md equals the rules; {@code -Dconformance.write=true} rewrites it. */
class RulesPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "conformance.md");
    private static final String BEGIN = "<!-- rules: generated -->\n";
    private static final String END = "<!-- end of rules -->\n";

    private static String table() {
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

    @Test
    void the_page_lists_every_rule_with_its_meaning_and_remedy() throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEGIN) + BEGIN.length();
        int to = page.indexOf(END);
        assertThat(from).isBetween(BEGIN.length(), to);
        if (Boolean.getBoolean("conformance.write")) {
            Files.writeString(PAGE, page.substring(0, from) + table() + page.substring(to));
        } else {
            assertThat(page.substring(from, to)).isEqualTo(table());
        }
    }

    @Test
    void the_page_names_every_producer_case() throws IOException {
        String page = Files.readString(PAGE);
        try (Suite kit = Suite.open(null)) {
            for (Path file : kit.producerCases("*")) {
                assertThat(page).contains("`" + Script.read(file).name() + "`");
            }
            for (Path folder : kit.subscriberCases("*")) {
                assertThat(page).contains("`" + folder.getFileName() + "`");
            }
        }
    }
}
