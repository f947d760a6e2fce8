package io.metricsaggregator.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LazyTreeTest {
    @Test
    void viewsEqualTheMapsAndListsTheyRepresent() {
        Map<Integer, String> source = new LinkedHashMap<>(Map.of(1, "a"));
        source.put(2, "b");
        Map<String, Object> view = LazyTree.map(source, (key, value) -> value + key);
        assertThat(view).isEqualTo(Map.of("1", "a1", "2", "b2")).hasSize(2).containsKey("2");
        assertThat(view.get("2")).isEqualTo("b2");
        assertThat(view.get("3")).isNull();
        assertThat(LazyTree.list(List.of(1, 2), each -> each * 2)).isEqualTo(List.of(2, 4));
    }

    @Test
    void aLookupDoesNotReorderAnAccessOrderedMap() {
        Map<String, Integer> used = new LinkedHashMap<>(16, 0.75f, true);
        used.put("first", 1);
        used.put("second", 2);
        Map<String, Object> view = LazyTree.map(used, (key, value) -> value);
        assertThat(view.get("first")).isEqualTo(1);
        assertThat(used.keySet()).containsExactly("first", "second");
    }

    @Test
    void anExceptionOfTheStreamIsPassedOnUnchanged() {
        IOException full = new IOException("no space");
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw full;
            }
        };
        assertThatThrownBy(() -> JsonTree.write(Map.of("a", "x".repeat(100_000)), broken))
                .isInstanceOf(UncheckedIOException.class)
                .hasCause(full);
    }
}
