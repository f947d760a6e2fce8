package io.metricsaggregator.report.markup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MarkupTest {
    @Test
    void text_and_attribute_values_are_escaped() {
        String hostile = "<b>&\"'\u0000";
        assertThat(new Markup().element("p", hostile, "title", hostile))
                .hasToString("<p title=\"&lt;b&gt;&amp;&quot;'\\u0000\">&lt;b&gt;&amp;&quot;'\\u0000</p>");
    }

    @Test
    void text_is_cut_and_attribute_values_are_not() {
        String path = "L1 1".repeat(10_000);
        assertThat(new Markup().empty("path", "d", path)).hasToString("<path d=\"" + path + "\"/>");
        assertThat(new Markup().element("p", path).toString()).hasSizeLessThan(2100);
    }

    @Test
    void elements_close_in_the_order_of_opening() {
        Markup markup = new Markup().open("a").open("b").empty("c", "x", "1");
        assertThatThrownBy(markup::toString).isInstanceOf(IllegalStateException.class);
        assertThat(markup.close().lineBreak().close()).hasToString("<a><b><c x=\"1\"/></b>\n</a>");
    }
}
