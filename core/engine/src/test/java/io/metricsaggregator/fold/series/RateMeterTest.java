package io.metricsaggregator.fold.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.snapshot.figures.Rate;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateMeterTest {
    private static final long MILLI = 1_000_000L;

    @Test
    void ratesCoverTheLastOneTenAndSixtySeconds() {
        RateMeter meter = new RateMeter();
        long issued = 0;
        for (int tick = 0; tick <= 400; tick++) {
            // 100 a second for a minute, then 500.
            issued += tick == 0 ? 0 : tick <= 240 ? 25 : 125;
            meter.sample(tick * 250 * MILLI, 0, issued, 0, 0, 0, 0);
        }
        List<Rate> rates = meter.rates();
        assertThat(rates).extracting(Rate::windowSeconds).containsExactly(1, 10, 60);
        assertThat(rates.get(0).issuedPerSecond()).isCloseTo(500, within(1e-9));
        assertThat(rates.get(1).issuedPerSecond()).isCloseTo(500, within(1e-9));
        assertThat(rates.get(2).issuedPerSecond()).isCloseTo((20 * 100 + 40 * 500) / 60.0, within(1e-9));
        assertThat(rates.get(2).coveredSeconds()).isCloseTo(60, within(1e-9));
    }

    @Test
    void aWindowLongerThanTheRunCoversTheRun() {
        RateMeter meter = new RateMeter();
        assertThat(meter.rates().get(0).coveredSeconds()).isZero();
        meter.sample(0, 0, 0, 0, 0, 0, 0);
        meter.sample(2000 * MILLI, 10, 20, 30, 40, 50, 60);
        Rate rate = meter.rates().get(2);
        assertThat(rate.coveredSeconds()).isEqualTo(2);
        assertThat(rate.recordsPerSecond()).isEqualTo(5);
        assertThat(rate.completedPerSecond()).isEqualTo(15);
        assertThat(rate.failedPerSecond()).isEqualTo(20);
        assertThat(rate.bytesPerSecond()).isEqualTo(25);
    }

    @Test
    void aThousandSamplesASecondDoNotShortenTheMinute() {
        RateMeter meter = new RateMeter();
        for (int i = 0; i <= 70_000; i++) {
            meter.sample(i * MILLI, i, i, i, i, i, i);
        }
        assertThat(meter.rates().get(2).coveredSeconds()).isBetween(60.0, 60.2);
        assertThat(meter.rates().get(2).issuedPerSecond()).isCloseTo(1000, within(1e-6));
        assertThat(meter.rates().get(0).coveredSeconds()).isBetween(1.0, 1.1);
    }
}
