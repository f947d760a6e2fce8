package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.snapshot.figures.SaturationMonitor;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class SaturationJudgeTest {
    private static final long SECOND = 1_000_000_000L;

    private static Slices.Column column(String name, IntToLongFunction value) {
        long[] values = new long[60];
        Arrays.setAll(values, value::applyAsLong);
        return new Slices.Column(name, values);
    }

    /** 40 slices with issues, then 20 in which the samples in flight drain. */
    private static SaturationMonitor judge(Slices.Column... more) {
        List<Slices.Column> columns = new ArrayList<>(List.of(
                column("issued", i -> i < 40 ? 20 : 0),
                column("in_flight", i -> i < 40 ? 100 + 3L * i : 220 - 11L * (i - 40))));
        columns.addAll(List.of(more));
        return Objects.requireNonNull(SaturationJudge.of(new Slices(0, SECOND, 0, columns)));
    }

    @Test
    void growthWhileSamplesAreIssuedAlertsWhateverTheDrainLooksLike() {
        SaturationMonitor load = judge();
        assertThat(load.alert()).isTrue();
        assertThat(load.inFlightPerSecond()).isCloseTo(3, within(1e-9));
        assertThat(load.ttftNanosPerSecond()).isNull();
        SaturationMonitor both =
                judge(column("ttft_p50_ns", i -> i % 2 == 1 ? Slices.NOT_MEASURED : 3 * SECOND + i * SECOND / 10));
        assertThat(both.alert()).isTrue();
        assertThat(both.ttftNanosPerSecond()).isCloseTo(0.1 * SECOND, within(1.0));
    }

    @Test
    void quickFirstTokensAreNoAlert() {
        assertThat(judge(column("ttft_p50_ns", i -> SECOND + i * SECOND / 100)).alert())
                .isFalse();
    }

    @Test
    void aRunWithoutSlicesIsNotJudged() {
        Slices.Column issued = column("issued", i -> 20);
        Slices.Column inFlight = column("in_flight", i -> i);
        for (List<Slices.Column> columns : List.of(
                List.<Slices.Column>of(),
                List.of(issued),
                List.of(inFlight),
                List.of(column("issued", i -> 0), inFlight))) {
            assertThat(SaturationJudge.of(new Slices(0, SECOND, 0, columns))).isNull();
        }
    }
}
