package io.metricsaggregator.web.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeatMapTest {
    private final HeatMap map = new HeatMap();

    private static ValueCounts values(long... pairs) {
        long[] values = new long[pairs.length / 2];
        long[] counts = new long[values.length];
        long total = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = pairs[2 * i];
            counts[i] = pairs[2 * i + 1];
            total += counts[i];
        }
        return new ValueCounts(values, counts, total);
    }

    private Map<String, Object> tree() {
        Map<String, Object> tree = map.tree();
        assertThat(tree).isNotNull();
        return tree;
    }

    @Test
    void a_map_without_values_is_none() {
        map.add(0, 1, ValueCounts.NONE);
        assertThat(map.tree()).isNull();
    }

    @Test
    void shades_are_shares_of_their_column_from_the_bottom() {
        // Quarters of octaves from 1024: 0.5 % at the bottom, 60 % above, the rest on top.
        map.add(6, 7, values(1024, 5, 1218, 600, 1449, 395));
        map.add(7, 8, ValueCounts.NONE);
        map.add(8, 9, values(1024, 1));
        assertThat(tree())
                .containsEntry("start_s", 7L)
                .containsEntry("width_s", 1L)
                .containsEntry("edges_ns", List.of(1024L, 1218L, 1448L, 1722L));
        List<?> columns = (List<?>) tree().get("columns");
        assertThat(columns.get(0)).isEqualTo("165");
        assertThat(columns.get(1)).isNull();
        assertThat(columns.get(2)).isEqualTo("600");
    }

    @Test
    void a_span_of_several_seconds_fills_all_its_columns() {
        map.add(0, 1, values(1024, 1));
        map.add(1, 4, values(1024, 9));
        assertThat(tree().get("columns")).isEqualTo(List.of("6", "6", "6", "6"));
    }

    @Test
    void columns_are_joined_when_they_run_out_so_that_memory_is_bounded() {
        for (int second = 1; second <= 10_000; second++) {
            map.add(second - 1, second, values(1 << 20, 1, 1 << 21, 1));
        }
        assertThat((List<?>) tree().get("columns"))
                .hasSizeBetween(HeatMap.COLUMNS_MAX / 2, HeatMap.COLUMNS_MAX)
                .doesNotContainNull();
        assertThat(tree()).containsEntry("width_s", 64L).containsEntry("start_s", 0L);
    }

    @Test
    void rows_are_joined_so_that_values_of_any_range_fit() {
        map.add(0, 1, values(1, 1, Long.MAX_VALUE, 1));
        List<?> edges = (List<?>) tree().get("edges_ns");
        assertThat(edges).hasSizeBetween(2, HeatMap.ROWS_MAX + 1);
        assertThat(((List<?>) tree().get("columns")).get(0).toString()).hasSize(edges.size() - 1);
    }
}
