package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The row of a report in CSV whose values have no comma. */
final class CsvRow {
    private CsvRow() {}

    /** Values by the names of their columns. */
    static Map<String, String> of(String csv) {
        List<String> lines = csv.lines().toList();
        assertThat(lines).as("a head and one run").hasSize(2);
        String[] names = lines.get(0).split(",", -1);
        String[] values = lines.get(1).split(",", -1);
        assertThat(values).hasSameSizeAs(names);
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            row.put(names[i], values[i]);
        }
        return row;
    }
}
