package io.metricsaggregator.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DescriptorsTest {
    @Test
    void connections_leave_a_quarter_of_the_free_descriptors_or_64() {
        assertThat(Descriptors.connections(1024, 100_000L)).isEqualTo(1024);
        assertThat(Descriptors.connections(1024, 1024L)).isEqualTo(960);
        assertThat(Descriptors.connections(1024, 40L)).isEqualTo(30);
    }

    @Test
    void a_few_free_descriptors_still_allow_one_connection() {
        assertThat(Descriptors.connections(1024, 9L)).isEqualTo(1);
        assertThat(Descriptors.connections(1024, -5L)).isEqualTo(1);
    }

    @Test
    void a_process_with_the_usual_limit_is_not_reduced() {
        assertThat(Descriptors.connections(3, 1)).isEqualTo(3);
    }
}
