package io.metricsaggregator.snapshot.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FixedMapTest {
    private static Map<String, Integer> source(int size) {
        Map<String, Integer> source = new LinkedHashMap<>();
        for (int i = size; i > 0; i--) {
            source.put("key " + i, i);
        }
        return source;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, FixedMap.SMALL, FixedMap.SMALL + 1, 200})
    void a_map_of_any_size_keeps_the_order_and_finds_what_it_has(int size) {
        Map<String, Integer> source = source(size);
        Map<String, Integer> fixed = FixedMap.copyOf(source);
        List<String> order = new ArrayList<>(source.keySet());
        source.put("later", 0);

        assertThat(fixed).isEqualTo(source(size)).hasSize(size);
        assertThat(fixed.keySet()).containsExactlyElementsOf(order);
        for (String key : order) {
            assertThat(fixed.get(key)).isEqualTo(source.get(key));
            assertThat(fixed.containsKey(key)).isTrue();
        }
        assertThat(fixed.get("later")).isNull();
        assertThat(fixed.containsKey("later")).isFalse();
        assertThat(fixed.containsKey(null)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, FixedMap.SMALL + 1})
    void a_copy_cannot_be_changed_and_its_copy_is_itself(int size) {
        Map<String, Integer> fixed = FixedMap.copyOf(source(size));

        assertThat(FixedMap.copyOf(fixed)).isSameAs(fixed);
        assertThatThrownBy(() -> fixed.put("key", 1)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> fixed.remove("key 1")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> fixed.entrySet().iterator().next().setValue(2))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
