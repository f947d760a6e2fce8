package io.metricsaggregator.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MsgpackTree;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonFormTest {
    @Test
    void numbers_beyond_json_are_written_as_strings_and_an_extension_value_keeps_its_record() {
        Map<String, ?> record = Map.of(
                "samples",
                List.of(Arrays.asList("g", Double.NaN, Double.NEGATIVE_INFINITY, 1.5, null)),
                "ext",
                new MsgpackTree.Extension(-1, new byte[] {1, 2, 3}));
        String line = new String(JsonTree.writeLine(JsonForm.of(record)), StandardCharsets.UTF_8);
        assertThat(line)
                .contains("\"samples\":[[\"g\",\"NaN\",\"-Infinity\",1.5,null]]")
                .contains("\"ext_type\":-1")
                .contains("\"base64\":\"AQID\"");
    }
}
