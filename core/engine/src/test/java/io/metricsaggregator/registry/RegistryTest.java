package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RegistryTest {
    @Test
    void metricsKeepTheirRegistrationOrderAndNamesAreUnique() {
        Registry registry = new Registry(3, 30, new RawBudget(0));
        registry.longSeries("first series", HdrRange.TOKENS);
        registry.counter("first counter").add(3);
        registry.counter("second counter").increment();
        RegistryCopy copy = registry.newCopy();
        registry.copyInto(copy);
        List<Metric> metrics = copy.render();
        assertThat(metrics).extracting(Metric::name).containsExactly("first counter", "second counter", "first series");
        assertThat(metrics.get(0)).isEqualTo(new CounterMetric("first counter", 3));
        assertThatThrownBy(() -> registry.counter("first series")).hasMessageContaining("first series");
    }

    @Test
    void a_copy_that_is_brought_up_to_date_equals_a_new_one_however_many_values_came_between() {
        Random random = new Random(Seed.next(RegistryTest.class));
        Registry kept = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
        LongSeries series = kept.longSeries("s", HdrRange.DURATION_NANOS);
        DoubleSeries reals = kept.doubleSeries("r", HdrRange.TOKENS);
        Registry without = new Registry(3, 30, new RawBudget(0));
        // Nothing but the histogram is left to copy.
        LongSeries counted = without.longSeries("s", HdrRange.DURATION_NANOS);
        counted.withoutValues();
        RegistryCopy reused = kept.newCopy();
        for (int round = 0; round < 60; round++) {
            int values = random.nextInt(4) == 0 ? random.nextInt(9000) : random.nextInt(100);
            for (int i = 0; i < values; i++) {
                long value = random.nextLong() >> random.nextInt(63);
                series.record(value);
                counted.record(value);
                reals.record(value / 1e9);
            }
            kept.copyInto(reused);
            List<Metric> rendered = reused.render();
            RegistryCopy fresh = kept.newCopy();
            kept.copyInto(fresh);
            assertThat(rendered)
                    .as("round %d", round)
                    .usingRecursiveComparison()
                    .isEqualTo(fresh.render());
            RegistryCopy counts = without.newCopy();
            without.copyInto(counts);
            assertThat(rendered.get(0))
                    .usingRecursiveComparison()
                    .isEqualTo(counts.render().get(0));
        }
    }
}
