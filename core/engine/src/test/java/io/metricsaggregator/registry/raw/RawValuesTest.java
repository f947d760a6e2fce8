package io.metricsaggregator.registry.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.registry.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawValuesTest {

    private static long[] all(RawValues values, int parts) {
        List<long[]> seen = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            assertThat(values.visit(part, parts, (block, size) -> seen.add(Arrays.copyOf(block, size))))
                    .isTrue();
        }
        return seen.stream().flatMapToLong(Arrays::stream).toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 15, 24, 31, 33, 40, 48, 55, 63, 64})
    void valuesOfAnyWidthAreReadBackUnchanged(int bits) {
        Random random = new Random(Seed.next(RawValuesTest.class));
        RawValues values = new RawValues(new RawBudget(Long.MAX_VALUE));
        long offset = random.nextLong();
        long[] expected = new long[7 * RawValues.BLOCK + 123];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = offset + (bits == 0 ? 0 : random.nextLong() >>> (64 - bits));
            values.add(expected[i]);
        }
        assertThat(values.size()).isEqualTo(expected.length);
        assertThat(all(values, 1)).isEqualTo(expected);
    }

    @Test
    void values_given_in_blocks_and_alone_are_read_back_unchanged() {
        Random random = new Random(Seed.next(RawValuesTest.class));
        RawValues values = new RawValues(new RawBudget(Long.MAX_VALUE));
        List<Long> expected = new ArrayList<>();
        while (expected.size() < 20 * RawValues.BLOCK) {
            int bits = 1 + random.nextInt(30);
            long[] block = random.longs(1 + random.nextInt(1000), 0, 1L << bits).toArray();
            // Rarely, so that most of a packed block was given with its bounds.
            if (random.nextInt(10) == 0) {
                values.add(1L << 40);
                expected.add(1L << 40);
            }
            LongSummaryStatistics bounds = Arrays.stream(block).summaryStatistics();
            values.add(block, block.length, bounds.getMin(), bounds.getMax());
            Arrays.stream(block).forEach(expected::add);
        }
        assertThat(all(values, 1))
                .isEqualTo(expected.stream().mapToLong(each -> each).toArray());
    }

    @Test
    void theFull64BitRangeFits() {
        RawValues values = new RawValues(new RawBudget(Long.MAX_VALUE));
        long[] expected = new long[2 * RawValues.BLOCK];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = i % 3 == 0 ? Long.MIN_VALUE : i % 3 == 1 ? Long.MAX_VALUE : i;
            values.add(expected[i]);
        }
        assertThat(all(values, 1)).isEqualTo(expected);
    }

    @Test
    void partitionsTogetherVisitEveryValueOnce() {
        RawValues values = new RawValues(new RawBudget(Long.MAX_VALUE));
        long[] expected = new long[500_000];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = i;
            values.add(i);
        }
        long[] seen = all(values, 3);
        Arrays.sort(seen);
        assertThat(seen).isEqualTo(expected);
    }

    @Test
    void durationsOfUpToFourSecondsTakeFourBytesEach() {
        RawBudget budget = new RawBudget(Long.MAX_VALUE);
        RawValues values = new RawValues(budget);
        Random random = new Random(1);
        int count = 2_000_000;
        for (int i = 0; i < count; i++) {
            values.add(random.nextLong(4_000_000_000L));
        }
        assertThat(budget.usedBytes() / (double) count).isBetween(4.0, 4.4);
    }
}
