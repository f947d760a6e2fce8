package io.metricsaggregator.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.telemetry.TelemetryOptions;
import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecomputationTest {
    private static final RunConfig RECORDED = RunConfig.builder()
            .tokenizer(new RunConfig.Tokenizer("/a", "none", "5.5.0"))
            .build();

    @Test
    void a_run_recomputed_with_the_same_settings_lists_no_differences() {
        RunConfig now =
                RECORDED.toBuilder().version("2").percentiles(List.of(99.99)).build();
        assertThat(Recomputation.words(RECORDED, now)).isEmpty();
    }

    @Test
    void each_changed_setting_is_named() {
        RunConfig now = RECORDED.toBuilder()
                .cut(new TimeCut(30_000_000_000L, 60_000_000_000L, 300_500_000_000L))
                .excludedWorkers(Set.of("b", "a"))
                .objectives(new Slo(5, Slo.NONE, Slo.NONE, 0.9))
                .streaming(Streaming.ON)
                .trackAll(true)
                .tokenizer(null)
                .telemetry(new TelemetryOptions(List.of("n"), 1, ScrapeOptions.DEFAULT))
                .build();
        assertThat(Recomputation.words(RECORDED, now))
                .containsExactly(
                        "without samples issued in the first 30.0 s of what was tracked",
                        "only samples issued in 1m..300.5s since the start of the session",
                        "without worker a",
                        "without worker b",
                        "with the series of streamed answers",
                        "every sample tracked",
                        "judged by other objectives",
                        "tokens not counted",
                        "telemetry folded with other settings");
    }

    @ParameterizedTest
    @CsvSource({
        "300000000000, 600000000000, 5m..10m",
        "90000000000, 7200000000000, 90s..2h",
        "250000000, 1500000000, 250ms..1.5s",
        "0, 1000000001, ..1000000001ns"
    })
    void a_window_is_written_as_people_write_durations(long from, long to, String written) {
        RunConfig now = RECORDED.toBuilder().cut(new TimeCut(0, from, to)).build();
        assertThat(Recomputation.words(RECORDED, now))
                .containsExactly("only samples issued in " + written + " since the start of the session");
    }

    @Test
    void an_open_end_of_the_window_is_left_empty() {
        RunConfig now = RECORDED.toBuilder()
                .cut(new TimeCut(0, 5_000_000_000L, Long.MAX_VALUE))
                .build();
        assertThat(Recomputation.words(RECORDED, now))
                .containsExactly("only samples issued in 5s.. since the start of the session");
    }
}
