package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import java.util.List;
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
}
