package io.metricsaggregator.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.figures.Imported;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ImportedTextTest {
    private static List<String> stages(Map<String, Object> figures) {
        return ImportedText.stages(new Imported(
                "f", "t", null, "C", List.of(), null, 1, null, Map.of(), 0, 0, 0, Map.of(), figures, List.of()));
    }

    @Test
    void what_was_planned_stands_beside_what_was_reached() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("planned requests", 28L);
        figures.put("requests in the files", 16L);
        figures.put("stage 0: planned requests/s", 8.0);
        figures.put("stage 0: planned seconds", 2.0);
        figures.put("stage 0: planned requests", 16L);
        figures.put("stage 0: requests", 16L);
        figures.put("stage 0: requests/s", 7.5);
        figures.put("stage 1: planned requests", 12L);
        figures.put("stage 1: planned concurrency", 3L);
        figures.put("stage 2: requests", 1L);

        assertThat(stages(figures))
                .containsExactly(
                        "planned: 28 requests; in the files: 16",
                        "stage 0: planned 16 requests, 8.000 req/s, for 2.000 s; reached 16 requests, 7.500 req/s",
                        "stage 1: planned 12 requests, 3 at a time; reached unknown: import the file of the stage, too",
                        "stage 2: planned unknown; reached 1 requests");
    }

    @Test
    void a_tool_without_stages_has_no_line_and_one_of_many_few() {
        assertThat(stages(Map.of("planned requests", "many", "request_throughput", 2.0)))
                .isEmpty();

        Map<String, Object> many = new LinkedHashMap<>();
        for (int i = 0; i < 100; i++) {
            many.put("stage " + i + ": requests", 1L);
        }
        assertThat(stages(many)).hasSize(17).endsWith("further stages: see the tool's figures");
    }
}
