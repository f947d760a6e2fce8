package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LongSummaryStatistics;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongStatisticsTest {
    @Test
    void blocks_have_the_extremes_and_the_negative_values_of_all_their_values() {
        Random random = new Random(Seed.next(LongStatisticsTest.class));
        for (int round = 0; round < 300; round++) {
            LongStatistics statistics = new LongStatistics();
            LongSummaryStatistics expected = new LongSummaryStatistics();
            long negative = 0;
            for (int block = 0; block < 6; block++) {
                // The range of a block grows and shrinks, most often within that of the blocks before.
                int bits = 1 + random.nextInt(64);
                boolean signed = round % 2 == 0;
                long[] values = random.longs(1 + random.nextInt(64))
                        .map(value -> signed ? value >> 64 - bits : value >>> 64 - Math.min(63, bits))
                        .toArray();
                LongSummaryStatistics bounds = Arrays.stream(values).summaryStatistics();
                statistics.add(values, values.length, bounds.getMin(), bounds.getMax());
                for (long value : values) {
                    expected.accept(value);
                    negative += value < 0 ? 1 : 0;
                }
                assertThat(statistics.min()).isEqualTo(expected.getMin());
                assertThat(statistics.max()).isEqualTo(expected.getMax());
                assertThat(statistics.negative()).isEqualTo(negative);
                assertThat(statistics.count()).isEqualTo(expected.getCount());
            }
        }
    }
}
