package io.metricsaggregator.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks that the tables of docs/reference.md between {@code <!-- catalogue: NAME -->} and {@code <!-- end of catalogue -->} equal the catalogue.
 * {@code mvn -pl core/snapshot -am test -Dtest=CatalogueDocumentTest -Dsurefire.failIfNoSpecifiedTests=false -Dcatalogue.write=true} rewrites the tables.
 */
class CatalogueDocumentTest {
    private static final Path PAGE = Path.of(System.getProperty("project.root"), "docs", "reference.md");
    private static final String END = "<!-- end of catalogue -->";
    /** Event names, options and names with an underscore, which the page formats as code. */
    private static final Pattern CODE = Pattern.compile(
            "(?<![\\w`/-])(--[a-z][a-z-]*|/metrics|(?:[a-z]+\\.)[a-z_]+|error\\.\\*|[a-z]+(?:_[a-z]+)+|total_…)(?![\\w`])");

    @Test
    void thePageListsEveryCounterAndSeriesAsTheCatalogueDescribesIt() throws IOException {
        String page = Files.readString(PAGE);
        if (Boolean.getBoolean("catalogue.write")) {
            for (Map.Entry<String, List<String>> table : tables().entrySet()) {
                page = replaced(page, table.getKey(), table.getValue());
            }
            Files.writeString(PAGE, page);
        }
        List<String> differences = new ArrayList<>();
        for (Map.Entry<String, List<String>> table : tables().entrySet()) {
            List<String> expected = table.getValue();
            List<String> found = found(page, table.getKey());
            expected.stream().filter(row -> !found.contains(row)).forEach(row -> differences.add("missing: " + row));
            found.stream().filter(row -> !expected.contains(row)).forEach(row -> differences.add("outdated: " + row));
            if (differences.isEmpty() && !found.equals(expected)) {
                differences.add("order of the table " + table.getKey());
            }
        }
        assertThat(differences)
                .as("rows of docs/reference.md; the option -Dcatalogue.write=true of this test writes them")
                .isEmpty();
    }

    /** Returns the rows of each table, header included, by the name in the page's markers. */
    private static Map<String, List<String>> tables() {
        Map<String, List<String>> tables = new LinkedHashMap<>();
        for (CounterGroup group : CounterGroup.values()) {
            List<String> rows = new ArrayList<>(List.of("| counter | meaning |", "|---|---|"));
            CounterName.of(group)
                    .forEach(each -> rows.add("| `" + each.wire() + "` | " + marked(each.meaning()) + " |"));
            tables.put("counters, " + group.name().toLowerCase(Locale.ROOT), rows);
        }
        List<String> rows =
                new ArrayList<>(List.of("| series | key in reports | unit | one value |", "|---|---|---|---|"));
        for (SeriesName each : SeriesName.values()) {
            String key = SeriesName.reported().contains(each) ? "`" + each.key() + "`" : "";
            rows.add("| `" + each.wire() + "` | " + key + " | " + each.unit().symbol() + " | " + marked(each.meaning())
                    + " |");
        }
        tables.put("series", rows);
        return tables;
    }

    private static String marked(String meaning) {
        return CODE.matcher(meaning).replaceAll("`$1`");
    }

    private static String start(String table) {
        return "<!-- catalogue: " + table + " -->";
    }

    private static List<String> found(String page, String table) {
        int start = page.indexOf(start(table));
        assertThat(start).as("marker %s in %s", start(table), PAGE).isNotNegative();
        int end = page.indexOf(END, start);
        return page.substring(start + start(table).length(), end)
                .strip()
                .lines()
                .toList();
    }

    private static String replaced(String page, String table, List<String> rows) {
        int start = page.indexOf(start(table));
        assertThat(start).as("marker %s in %s", start(table), PAGE).isNotNegative();
        int end = page.indexOf(END, start);
        return page.substring(0, start) + start(table) + "\n\n" + String.join("\n", rows) + "\n\n"
                + page.substring(end);
    }
}
