package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The percentiles of the daemon's own durations are those of HdrHistogram, however recording and asking alternate. */
class MeterTest {
    @Test
    void percentilesAreThoseOfTheHistogramAfterEachRecord() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            Meter meter = new Meter();
            Histogram reference = new Histogram(1, 3_600_000_000_000L, 2);
            for (int i = 0; i < 2000; i++) {
                long nanos = random.nextInt(50) == 0 ? -5 : random.nextLong() >>> (22 + random.nextInt(42));
                long times = random.nextInt(4);
                meter.record(nanos, times);
                if (times > 0) {
                    reference.recordValueWithCount(Math.max(0, Math.min(nanos, 3_600_000_000_000L)), times);
                }
                if (random.nextInt(3) == 0 && reference.getTotalCount() > 0) {
                    String what = "seed " + seed + ", record " + i;
                    assertThat(meter.p50()).as(what).isEqualTo(percentile(meter, reference, 50));
                    assertThat(meter.p99()).as(what).isEqualTo(percentile(meter, reference, 99));
                }
            }
            assertThat(meter.count()).isEqualTo(reference.getTotalCount());
        }
    }

    private static long percentile(Meter meter, Histogram reference, double percentile) {
        return Math.min(meter.max(), reference.getValueAtPercentile(percentile));
    }

    @Test
    void nothingRecordedIsZero() {
        Meter meter = new Meter();
        meter.record(5, 0);
        assertThat(meter.p50()).isZero();
        assertThat(meter.p99()).isZero();
    }
}
