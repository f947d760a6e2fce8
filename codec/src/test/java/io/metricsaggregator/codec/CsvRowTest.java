package io.metricsaggregator.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsvRowTest {
    @Test
    void names_and_numbers_are_unquoted_and_null_is_an_empty_cell() {
        assertThat(new CsvRow().names(List.of("a", "b")).value(3).value(null).values(List.of(0.5)))
                .hasToString("a,b,3,,0.5\r\n");
        assertThat(new CsvRow().value(null).value(null)).hasToString(",\r\n");
    }

    @Test
    void a_name_with_a_separator_or_the_start_of_a_formula_is_written_as_text() {
        assertThat(new CsvRow().name("p99.9").name("a,b").name("=1")).hasToString("p99.9,\"a,b\",\"'=1\"\r\n");
    }

    @Test
    void text_is_quoted_and_cannot_become_a_formula() {
        assertThat(new CsvRow().text("a,\"b\"\n").text("").text(null)).hasToString("\"a,\"\"b\"\"\n\",,\r\n");
        for (String formula : List.of("=1", "+1", "-1", "@a", "\tx", "\rx")) {
            assertThat(new CsvRow().text(formula)).hasToString("\"'" + formula + "\"\r\n");
        }
    }
}
