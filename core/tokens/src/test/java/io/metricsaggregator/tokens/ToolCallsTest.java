package io.metricsaggregator.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ToolCallsTest {
    private static Map<String, ?> piece(long index, String id, String type, String name, String arguments) {
        return Map.of("index", index, "id", id, "type", type, "function", Map.of("name", name, "arguments", arguments));
    }

    @Test
    void the_last_non_empty_name_id_and_type_is_kept_and_arguments_are_concatenated() {
        List<?> joined = ToolCalls.joined(List.of(
                List.of(piece(0, "call_0", "function", "get", "{\"a\"")),
                List.of(piece(0, "", "", "get", ": 1")),
                List.of(piece(0, "", "", "", "}"), piece(1, "call_1", "custom", "clock", "")),
                List.of(piece(0, "", "", "get_weather", ""))));
        assertThat(joined)
                .hasToString("[{type=function, function={arguments={\"a\": 1}, name=get_weather}, id=call_0}, "
                        + "{type=custom, function={arguments=, name=clock}, id=call_1}]");
    }

    @Test
    void calls_without_a_name_or_id_omit_the_key() {
        List<?> joined = ToolCalls.joined(List.of(List.of(Map.of("index", 0L, "function", Map.of()))));
        assertThat(joined).hasToString("[{type=function, function={arguments=}}]");
    }

    @Test
    void whole_calls_are_returned_unchanged() {
        List<?> calls = List.of(Map.of("id", "a", "function", Map.of("name", "x")));
        assertThat(ToolCalls.joined(calls)).isSameAs(calls);
    }
}
