package io.metricsaggregator.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.samples.SampleColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Checks the table of docs/parquet.md against the schema; {@code -Dschema.write=true} rewrites it. */
class SchemaDocumentTest {
    private static final Path PAGE = Path.of(System.getProperty("project.root"), "docs", "parquet.md");
    private static final String START = "<!-- columns -->\n";
    private static final String END = "<!-- end of columns -->";

    private static String table() {
        List<String> rows = new ArrayList<>(List.of("| column | type | null | meaning |", "|---|---|---|---|"));
        for (SampleColumn column : SampleColumn.ALL) {
            rows.add("| `" + column.name() + "` | " + SampleSchema.describe(column) + " | "
                    + (column.required() ? "never" : "possible") + " | " + column.meaning() + " |");
        }
        return String.join("\n", rows) + "\n";
    }

    @Test
    void the_page_lists_the_columns_as_the_schema_has_them() throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf(START) + START.length();
        int end = page.indexOf(END);
        assertThat(end).isGreaterThanOrEqualTo(start);
        if (Boolean.getBoolean("schema.write")) {
            page = page.substring(0, start) + table() + page.substring(end);
            Files.writeString(PAGE, page);
            end = page.indexOf(END);
        }
        assertThat(page.substring(start, end))
                .as("the table of docs/parquet.md; the option -Dschema.write=true of this test writes it")
                .isEqualTo(table());
        assertThat(page).contains("| `metrics_aggregator.schema_version` | `" + SampleSchema.VERSION + "` |");
    }

    @Test
    void the_described_types_are_those_of_the_schema() {
        for (SampleColumn column : SampleColumn.ALL) {
            String type = SampleSchema.message().getType(column.name()).toString();
            String[] described = SampleSchema.describe(column).split(" ");
            String primitive = described[0].equals("BYTE_ARRAY") ? "binary" : described[0].toLowerCase(Locale.ROOT);
            assertThat(type)
                    .startsWith((column.required() ? "required " : "optional ") + primitive + " " + column.name());
            assertThat(type.endsWith("(STRING)")).isEqualTo(described.length == 2);
        }
    }
}
