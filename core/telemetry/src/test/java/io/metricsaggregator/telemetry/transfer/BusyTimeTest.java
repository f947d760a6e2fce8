package io.metricsaggregator.telemetry.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BusyTimeTest {
    @Test
    void settlingTheOlderHalfDoesNotChangeTheResultOfOrderedSpans() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        BusyTime bounded = new BusyTime(64);
        BusyTime all = new BusyTime(Integer.MAX_VALUE);
        long end = 0;
        for (int i = 0; i < 5000; i++) {
            end += random.nextInt(50);
            // The half of 64 spans that ended first is settled; every span is shorter than that half.
            long start = end - random.nextInt(150);
            bounded.add(start, end);
            all.add(start, end);
        }
        assertThat(bounded.late()).isZero();
        assertThat(bounded.total()).isEqualTo(all.total());
    }

    @Test
    void aSpanWithinSettledTimeIsCountedAsLate() {
        BusyTime busy = new BusyTime(4);
        for (int i = 1; i <= 4; i++) {
            busy.add(10L * i, 10L * i + 5);
        }
        busy.add(0, 60);
        assertThat(busy.late()).isEqualTo(1);
        assertThat(busy.total().nanos()).isEqualTo(15 + 25);
    }

    @Test
    void adjacentSpansDoNotOverlap() {
        BusyTime busy = new BusyTime(100);
        busy.add(0, 10);
        busy.add(10, 20);
        busy.add(5, 5);
        assertThat(busy.total()).isEqualTo(new BusyTime.Total(20, 1));
    }
}
