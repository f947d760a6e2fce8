package io.metricsaggregator.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpositionParserTest {
    private static final Path GOLDEN = Path.of(System.getProperty("golden.dir", "../../quality/golden"), "prometheus");

    @ParameterizedTest
    @ValueSource(strings = {"triton_8002_scrape1", "triton_8002_scrape2_15s_later", "vllm_8000", "dcgm_9400", "traps"})
    void everyGoldenExpositionIsParsedLikePrometheus(String name) throws IOException {
        ExpositionParser.Exposition read =
                ExpositionParser.parse(Files.readString(GOLDEN.resolve(name + ".txt")), false);
        Map<String, ?> expected = JsonTree.read(Files.readAllBytes(GOLDEN.resolve(name + ".parsed.json")));
        List<?> wanted = (List<?>) expected.get("samples");
        assertThat(read.badLines()).isZero();
        assertThat(read.samples()).hasSameSizeAs(wanted);
        for (int i = 0; i < wanted.size(); i++) {
            Map<?, ?> want = (Map<?, ?>) wanted.get(i);
            ExpositionParser.Sample have = read.samples().get(i);
            assertThat(have.name()).isEqualTo(want.get("name"));
            assertThat(have.labels()).isEqualTo(want.get("labels"));
            assertThat(have.millis()).isEqualTo(want.get("timestamp_ms"));
            assertThat((Double) have.value()).isEqualTo(Double.valueOf(String.valueOf(want.get("value"))));
            String type = (String) want.get("family_type");
            assertThat(have.type()).as("%s", have).isEqualTo(type.equals("unknown") ? "untyped" : type);
        }
    }

    private static ExpositionParser.Sample one(String text, boolean openMetrics) {
        ExpositionParser.Exposition read = ExpositionParser.parse(text, openMetrics);
        assertThat(read.firstBadLine()).isNull();
        assertThat(read.samples()).hasSize(1);
        return read.samples().get(0);
    }

    @Test
    void openMetricsTimestampsAreSecondsExemplarsAreSkippedAndEofEndsTheText() {
        ExpositionParser.Sample sample =
                one("# TYPE a counter\na_total{x=\"y\"} 17 1520879607.789 # {trace=\"}\"} 0.5 1.5\n# EOF\nb 1\n", true);
        assertThat(sample.name()).isEqualTo("a_total");
        assertThat(sample.type()).isEqualTo("counter");
        assertThat(sample.millis()).isEqualTo(1_520_879_607_789L);
    }

    @Test
    void aQuotedNameIsTheMetricName() {
        ExpositionParser.Sample sample = one("{\"a.b\",\"c d\"=\"e\"} 1\n", false);
        assertThat(sample.name()).isEqualTo("a.b");
        assertThat(sample.labels()).isEqualTo(Map.of("c d", "e"));
    }

    @Test
    void the_type_of_a_quoted_name_is_declared_by_that_name() {
        assertThat(one("# TYPE \"my.dotted\" counter\n{\"my.dotted\"} 1\n", false)
                        .type())
                .isEqualTo("counter");
        assertThat(one("#\tTYPE  \"with \\\"a\\\" blank\"\tgauge\n{\"with \\\"a\\\" blank\"} 1\n", false)
                        .type())
                .isEqualTo("gauge");
        assertThat(one("# TYPE \"open counter\na 1\n", false).type()).isEqualTo("untyped");
        assertThat(one("# TYPE a\na 1\n", false).type()).isEqualTo("untyped");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " leading 1",
                "a",
                "a{",
                "a{b",
                "a{b=c} 1",
                "a{b=\"c\" 1",
                "a{b=\"c\"d=\"e\"} 1",
                "a{b=\"c\",b=\"d\"} 1",
                "a 1x",
                "a 1d",
                "a 0x1p3",
                "a 1 2 3",
                "a 1 1.5",
                "1a 1",
                "{} 1",
                "a{b=\"c\\"
            })
    void aMalformedLineIsSkippedWithAReason(String line) {
        ExpositionParser.Exposition read = ExpositionParser.parse("ok 1\n" + line + "\nok 2\r\n", false);
        assertThat(read.samples()).extracting(ExpositionParser.Sample::value).containsExactly(1.0, 2.0);
        assertThat(read.badLines()).isEqualTo(1);
        assertThat(read.firstBadLine()).endsWith(line);
    }

    @Test
    void textsWithInvalidBytesAreParsedToTheEnd() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        String text = Files.readString(GOLDEN.resolve("traps.txt"));
        String signs = "{}\"\\=,#\n \t+-0eE.ａ";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder changed = new StringBuilder(text);
            for (int j = random.nextInt(4); j >= 0; j--) {
                changed.setCharAt(random.nextInt(changed.length()), signs.charAt(random.nextInt(signs.length())));
            }
            ExpositionParser.Exposition read = ExpositionParser.parse(changed.toString(), random.nextBoolean());
            assertThat(read.samples().size() + read.badLines())
                    .isLessThanOrEqualTo(changed.toString().split("\n").length);
        }
    }
}
