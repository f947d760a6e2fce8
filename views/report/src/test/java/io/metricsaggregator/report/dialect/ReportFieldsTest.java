package io.metricsaggregator.report.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records in the JSON report, by their declarations. */
class ReportFieldsTest {
    private static final LabelBreakdown.Value VALUE = new LabelBreakdown.Value(
            "v", 5, 4, 1, 1, 30, 20, new LabelBreakdown.Durations(3, 1_500_000, 2_000_000, 2_500_000, 3_000_000), null);

    private static LabelBreakdown.Value withNewFigure(Fields f, LabelBreakdown.Value v)
            throws MalformedMessageException {
        f.count("figure_of_tomorrow", 7);
        return LabelBreakdown.Value.pass(f, v);
    }

    private static Map<String, @Nullable Object> row() {
        return ReportFields.of("label", VALUE, ReportFieldsTest::withNewFigure, "value", "v", "succeeded", 3L);
    }

    @Test
    void a_figure_that_a_record_gains_is_in_the_report() {
        assertThat(row()).contains(entry("figure_of_tomorrow", 7L));
    }

    @Test
    void derived_keys_stand_where_the_exceptions_say() {
        assertThat(row().keySet())
                .containsExactly(
                        "figure_of_tomorrow",
                        "value",
                        "issued",
                        "completed",
                        "succeeded",
                        "failed",
                        "in_flight",
                        "input_tokens",
                        "output_tokens",
                        "latency_ms",
                        "ttft_ms",
                        "tpot_ms",
                        "good");
    }

    @Test
    void durations_are_in_milliseconds_and_their_count_is_not() {
        assertThat(row().get("latency_ms"))
                .isEqualTo(Map.of("count", 3L, "p50", 1.5, "p90", 2.0, "p99", 2.5, "max", 3.0));
    }

    @Test
    void a_key_without_a_value_is_null() {
        assertThat(row()).contains(entry("good", null), entry("tpot_ms", null), entry("ttft_ms", null));
    }
}
