package io.metricsaggregator.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class JournalSettingsTest {
    @Test
    void aBoundThatFollowsFromTheHeapIsNoOtherFlag() {
        assertThat(JournalSettings.differences(
                        Map.of("version", "1", "streaming", "auto", "max_keys", "1200"),
                        Map.of("version", "1", "streaming", "auto")))
                .isEmpty();
    }

    @Test
    void anotherFlagIsNamedWithBothItsValues() {
        assertThat(JournalSettings.differences(
                        Map.of("version", "1", "streaming", "auto"), Map.of("version", "1", "streaming", "true")))
                .containsExactly("streaming was auto and is true");
    }
}
