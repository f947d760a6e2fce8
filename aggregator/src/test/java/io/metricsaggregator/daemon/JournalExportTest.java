package io.metricsaggregator.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JournalExportTest {
    @Test
    void textIsQuotedAndNoFormula() {
        assertThat(JournalExport.text(null)).isEmpty();
        assertThat(JournalExport.text("a,\"b\"\nc")).isEqualTo("\"a,\"\"b\"\"\nc\"");
        for (String formula : new String[] {"=1+1", "+1", "-1", "@x", "\tx", "\rx"}) {
            assertThat(JournalExport.text(formula)).isEqualTo("\"'" + formula + "\"");
        }
    }
}
