package io.metricsaggregator.simulation.life;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Checks that the table of docs/reliability.md between {@code <!-- invariants: generated -->} and {@code <!-- end of invariants -->} equals {@link Invariant}.
 * {@code mvn -pl quality/simulation -am test -Dtest=InvariantTableTest -Dsurefire.failIfNoSpecifiedTests=false -Dinvariants.write=true} rewrites it.
 */
class InvariantTableTest {
    private static final Path PAGE = Path.of(System.getProperty("project.root"), "docs", "reliability.md");
    private static final String START = "<!-- invariants: generated -->\n";
    private static final String END = "<!-- end of invariants -->";

    @Test
    void the_page_lists_every_invariant() throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf(START);
        int end = page.indexOf(END);
        assertThat(start).as("marker %s in %s", START, PAGE).isNotNegative();
        assertThat(end).as("marker %s in %s", END, PAGE).isGreaterThan(start);
        String table = String.join("\n", rows()) + "\n";
        if (Boolean.getBoolean("invariants.write")) {
            page = page.substring(0, start + START.length()) + table + page.substring(end);
            Files.writeString(PAGE, page);
            end = page.indexOf(END);
        }
        assertThat(page.substring(start + START.length(), end))
                .as("table of invariants in %s; the option -Dinvariants.write=true of this test writes it", PAGE)
                .isEqualTo(table);
    }

    private static List<String> rows() {
        List<String> rows = new ArrayList<>(List.of("| Invariant | Promise | Checked at |", "|---|---|---|"));
        for (Invariant each : Invariant.values()) {
            String name = each.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            rows.add("| " + name + " | " + each.meaning() + " | " + each.when() + " |");
        }
        return rows;
    }
}
