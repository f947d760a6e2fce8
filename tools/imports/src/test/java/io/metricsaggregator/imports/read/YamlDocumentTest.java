package io.metricsaggregator.imports.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.json.JsonFields;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlDocumentTest {
    private static final String MARKS = "\0\t\n !%&*|>'\"[]{}:?-,\\#@`~\u2028\ufeff9x";

    private final CollectingSink sink = new CollectingSink();

    private @Nullable JsonFields read(String text) throws Exception {
        return YamlDocument.read(CollectingSink.source(text), sink);
    }

    @Test
    void values_are_those_that_json_has() throws Exception {
        JsonFields fields = read("""
                whole: 16
                rate: 8.5
                exponent: 1e3
                none: null
                empty:
                flag: true
                quoted: '2026-11-25T22:42:38Z'
                text: 12 apples
                list: [1, a, {b: 2}]
                tagged: !!python/object:os.system {command: 1}
                """);

        assertThat(fields).isNotNull();
        assertThat(fields.any("whole")).isEqualTo(16L);
        assertThat(fields.any("rate")).isEqualTo(new BigDecimal("8.5"));
        assertThat(fields.any("exponent")).isEqualTo(new BigDecimal("1e3"));
        assertThat(fields.has("none")).isTrue();
        assertThat(fields.any("none")).isNull();
        assertThat(fields.any("empty")).isNull();
        assertThat(fields.any("flag")).isEqualTo(true);
        assertThat(fields.any("quoted")).isEqualTo("2026-11-25T22:42:38Z");
        assertThat(fields.any("text")).isEqualTo("12 apples");
        assertThat(fields.any("list")).asString().isEqualTo("[1, a, {b=2}]");
        assertThat(fields.any("tagged")).asString().isEqualTo("{command=1}");
        assertThat(sink.skipped).isEmpty();
    }

    @Test
    void aliases_of_aliases_are_read_without_a_copy() throws Exception {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9)));
        }

        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            JsonFields fields = read(bomb.toString());
            assertThat(fields).isNotNull();
            List<?> last = fields.array("a29");
            assertThat(last.get(0)).isSameAs(last.get(8));
        });
        assertThat(sink.skipped).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    a: &a [*a]                | yaml_alias_unknown
                    a: *b                     | yaml_alias_unknown
                    {a: 1, a: 2}              | yaml_key_repeated
                    ? [a, b]\\n: 1            | yaml_key_invalid
                    a: [1                     | malformed_yaml
                    a: "\\\\uD800\\\\U00110000" | malformed_yaml
                    %YAML 9.9\\n--- a         | malformed_yaml
                    - 1                       | not_an_object
                    """)
    void what_breaks_a_rule_is_named(String text, String reason) throws Exception {
        assertThat(read(text.replace("\\n", "\n").replace("\\\\", "\\"))).isNull();
        assertThat(sink.skipped).containsOnlyKeys(reason);
    }

    @Test
    void depth_and_size_are_bounded() throws Exception {
        assertThat(read("a: " + "[".repeat(100_000))).isNull();
        assertThat(read("- ".repeat(100_000))).isNull();
        assertThat(sink.skipped).containsOnlyKeys("yaml_too_deep").containsEntry("yaml_too_deep", 2L);

        assertThat(read("a: " + "x".repeat(YamlDocument.BYTES_MAX))).isNull();
        assertThat(sink.skipped).containsEntry("yaml_too_large", 1L);
    }

    @Test
    void digits_without_end_are_a_text() throws Exception {
        JsonFields fields = read("a: " + "9".repeat(900_000));

        assertThat(fields).isNotNull();
        assertThat(fields.any("a")).isInstanceOf(String.class);
    }

    @Test
    void damaged_files_are_counted_and_never_thrown() throws Exception {
        String whole = """
                load: &l
                  type: constant
                  stages: [{rate: 8.0, duration: 2}, "\\u00e9\\x41", 'it''s', |
                    text]
                  more: *l
                --- !!set {a, b}
                """;
        long seed = 32;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            char[] text = whole.toCharArray();
            for (int k = random.nextInt(4); k >= 0; k--) {
                text[random.nextInt(text.length)] = MARKS.charAt(random.nextInt(MARKS.length()));
            }
            String damaged = new String(Arrays.copyOf(text, 1 + random.nextInt(text.length)));
            try {
                read(damaged);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", text " + damaged, e);
            }
        }
    }
}
