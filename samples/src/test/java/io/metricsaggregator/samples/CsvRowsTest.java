package io.metricsaggregator.samples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CsvRowsTest {
    @Test
    void textIsQuotedAndCannotBecomeAFormula() {
        assertThat(CsvRows.text(null)).isEmpty();
        assertThat(CsvRows.text("a,\"b\"\nc")).isEqualTo("\"a,\"\"b\"\"\nc\"");
        for (String formula : new String[] {"=1+1", "+1", "-1", "@x", "\tx", "\rx"}) {
            assertThat(CsvRows.text(formula)).isEqualTo("\"'" + formula + "\"");
        }
    }
}
