package io.metricsaggregator.telemetry.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AliasSeriesTest {
    @Test
    void every_spelling_of_infinity_is_the_last_edge_of_a_histogram() {
        for (String each : new String[] {"+Inf", "Inf", "inf", "+infinity"}) {
            assertThat(AliasSeries.edge(each)).as(each).isEqualTo(Double.POSITIVE_INFINITY);
        }
        assertThat(AliasSeries.edge("0.5")).isEqualTo(0.5);
        assertThat(AliasSeries.edge("wide")).isNaN();
        assertThat(AliasSeries.edge(null)).isNaN();
    }
}
