package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.registry.raw.SlabStore;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** A run that ends for want of memory still has a snapshot, whatever it was about to record. */
class NoMemoryTest {
    private static final int VALUES_MAX = 400_000;

    /** Slabs on the heap until there is no memory for one more. */
    private static final class Scarce implements SlabStore {
        private final RawBudget all = new RawBudget(Long.MAX_VALUE);
        private int left;

        Scarce(int left) {
            this.left = left;
        }

        private void allocate() {
            if (left-- == 0) {
                throw new OutOfMemoryError("as wanted");
            }
        }

        @Override
        public boolean take(long bytes) {
            return all.take(bytes);
        }

        @Override
        public boolean takeStaging(long bytes) {
            allocate();
            return all.take(bytes);
        }

        @Override
        public void giveBack(long bytes) {
            all.giveBack(bytes);
        }

        @Override
        public Slab newSlab() {
            allocate();
            return all.newSlab();
        }
    }

    private static void assertRendered(Registry registry, IntConsumer record) {
        assertThatThrownBy(() -> {
                    for (int i = 1; i <= VALUES_MAX; i++) {
                        record.accept(i);
                    }
                })
                .isInstanceOf(OutOfMemoryError.class);
        for (boolean outOfTime : List.of(false, true)) {
            SeriesMetric metric = (SeriesMetric) registry.renderExact(registry.newCopy(), false, () -> outOfTime)
                    .get(0);
            assertThat(metric.percentiles().values()).allMatch(each -> each >= 0 && each <= VALUES_MAX);
            assertThat(metric.detail().interpolated().values())
                    .as("%d values", metric.count())
                    .allMatch(each -> each >= 0 && each <= VALUES_MAX);
        }
    }

    @Test
    void valuesForWhichThereIsNoMemoryLeaveNoPercentileWithoutAValue() {
        // The first arrays of a series, then its slabs.
        for (int allocations = 0; allocations < 8; allocations++) {
            Registry whole = new Registry(3, 30, new Scarce(allocations));
            LongSeries integers = whole.longSeries("integers", HdrRange.DURATION_NANOS);
            assertRendered(whole, integers::record);
            Registry real = new Registry(3, 30, new Scarce(allocations));
            DoubleSeries numbers = real.doubleSeries("numbers", HdrRange.DURATION_NANOS);
            assertRendered(real, numbers::record);
        }
    }
}
