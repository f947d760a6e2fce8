package io.metricsaggregator.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void terminal_lines_keep_line_ends_and_escape_control_characters() {
        assertThat(Printable.forTerminal("a,\u001b[31mred\u0007\r\nb\tc\n"))
                .isEqualTo("a,\\u001b[31mred\\u0007\r\nb\tc\n");
        assertThat(Printable.forTerminal("x\ry")).isEqualTo("x\\u000dy");
        assertThat(Printable.forTerminal("\u009b31m \u202e \u007f")).isEqualTo("\\u009b31m \\u202e \\u007f");
    }

    @Test
    void harmless_text_is_unchanged() {
        String text = "plain, ümlaut, \ud83d\ude00\n";
        assertThat(Printable.forTerminal(text)).isSameAs(text);
        assertThat(Printable.forTerminal("\u001b" + text)).isEqualTo("\\u001b" + text);
    }
}
