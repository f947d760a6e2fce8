package io.metricsaggregator.report.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.codec.JsonTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The published schema of the JSON report, beside what a report may hold. */
class ReportSchemaTest {
    @Test
    void each_series_of_a_report_has_its_name_in_the_schema() throws Exception {
        Object tree = JsonTree.read(
                Files.readAllBytes(Path.of(System.getProperty("project.root"), "docs", "report.schema.json")));
        for (String key : List.of("properties", "series", "items", "properties", "name", "enum")) {
            tree = ((Map<?, ?>) tree).get(key);
        }
        assertThat((List<?>) tree)
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.list(String.class))
                .containsExactlyInAnyOrderElementsOf(
                        Quantity.all().stream().map(Quantity::key).toList());
    }
}
