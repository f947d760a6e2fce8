package io.metricsaggregator.imports.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.genaibench.GenaiBenchFormat;
import io.metricsaggregator.imports.genaibench.GenaiBenchFormatTest;
import io.metricsaggregator.imports.guidellm.GuideLlmFormat;
import io.metricsaggregator.imports.guidellm.GuideLlmFormatTest;
import io.metricsaggregator.imports.inferenceperf.InferencePerfFormat;
import io.metricsaggregator.imports.inferenceperf.InferencePerfFormatTest;
import io.metricsaggregator.imports.k6.K6Format;
import io.metricsaggregator.imports.k6.K6FormatTest;
import io.metricsaggregator.imports.llmd.LlmdFormat;
import io.metricsaggregator.imports.llmd.LlmdFormatTest;
import io.metricsaggregator.imports.llmperf.LlmPerfFormat;
import io.metricsaggregator.imports.llmperf.LlmPerfFormatTest;
import io.metricsaggregator.imports.loadgen.LoadgenFormat;
import io.metricsaggregator.imports.loadgen.LoadgenFormatTest;
import io.metricsaggregator.imports.locust.LocustFormat;
import io.metricsaggregator.imports.locust.LocustFormatTest;
import io.metricsaggregator.imports.perfanalyzer.PerfAnalyzerFormat;
import io.metricsaggregator.imports.perfanalyzer.PerfAnalyzerFormatTest;
import io.metricsaggregator.imports.sglang.SglangFormat;
import io.metricsaggregator.imports.sglang.SglangFormatTest;
import io.metricsaggregator.imports.vegeta.VegetaFormat;
import io.metricsaggregator.imports.vegeta.VegetaFormatTest;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damages the example of each format in every place: no reader may fail, and what it drops it must count. */
class HostileFilesTest {
    private static final Pattern VALUE = Pattern.compile(
            "(?<=[:\\[,])(\"(?:[^\"\\\\]|\\\\.)*\"(?!:)|-?[0-9][0-9.eE+-]*|null|true|false)(?=[,\\]}\\s])");
    private static final Pattern CELL = Pattern.compile("(?<=^|[,\n])[^,\n]*(?=[,\n]|$)");
    private static final List<String> VALUES = List.of(
            "\"x\"",
            "\"\"",
            "[]",
            "{}",
            "null",
            "true",
            "NaN",
            "-Infinity",
            "1e999999999",
            "-1",
            "-1e300",
            "0.1e-400",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "[".repeat(100) + "]".repeat(100),
            "[".repeat(300) + "]".repeat(300),
            "\"" + "y".repeat(1 << 18) + "\"",
            "\"\\u0000\\ud800\"");
    private static final List<String> CELLS =
            List.of("", "x", "NaN", "1e999999999", "-1", "9223372036854775808", "\"", "\"\"", "\u0000");

    /** One file of a format. */
    record Example(ImportFormat format, String text) {
        @Override
        public String toString() {
            return format.name();
        }
    }

    static Stream<Example> examples() {
        return Stream.of(
                new Example(new GuideLlmFormat(), GuideLlmFormatTest.EXAMPLE),
                new Example(new SglangFormat(), SglangFormatTest.EXAMPLE),
                new Example(new InferencePerfFormat(), InferencePerfFormatTest.EXAMPLE),
                new Example(new InferencePerfFormat(), InferencePerfFormatTest.SUMMARY),
                new Example(new PerfAnalyzerFormat(), PerfAnalyzerFormatTest.EXAMPLE),
                new Example(new K6Format(), K6FormatTest.EXAMPLE),
                new Example(new VegetaFormat(), VegetaFormatTest.EXAMPLE),
                new Example(new GenaiBenchFormat(), GenaiBenchFormatTest.EXAMPLE),
                new Example(new LlmdFormat(), LlmdFormatTest.EXAMPLE),
                new Example(new LlmPerfFormat(), LlmPerfFormatTest.EXAMPLE),
                new Example(new LlmPerfFormat(), LlmPerfFormatTest.SUMMARY),
                new Example(new LoadgenFormat(), LoadgenFormatTest.EXAMPLE));
    }

    static Stream<Example> tables() {
        return Stream.of(
                new Example(new VegetaFormat(), VegetaFormatTest.TABLE),
                new Example(new LocustFormat(), LocustFormatTest.STATS),
                new Example(new LocustFormat(), LocustFormatTest.HISTORY));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void a_value_of_any_type_in_any_place_is_read_or_counted(Example example) {
        List<String> texts = new ArrayList<>();
        Matcher matcher = VALUE.matcher(example.text());
        while (matcher.find()) {
            for (String value : VALUES) {
                texts.add(example.text().substring(0, matcher.start())
                        + value
                        + example.text().substring(matcher.end()));
            }
        }
        assertThat(texts.size()).isGreaterThan(50);
        readAll(example.format(), texts);
    }

    @ParameterizedTest
    @MethodSource("tables")
    void a_cell_of_any_text_in_any_place_is_read_or_counted(Example example) {
        List<String> texts = new ArrayList<>();
        Matcher matcher = CELL.matcher(example.text());
        while (matcher.find()) {
            for (String cell : CELLS) {
                texts.add(example.text().substring(0, matcher.start())
                        + cell
                        + example.text().substring(matcher.end()));
            }
        }
        assertThat(texts.size()).isGreaterThan(50);
        readAll(example.format(), texts);
    }

    @ParameterizedTest
    @MethodSource({"examples", "tables"})
    void a_file_cut_anywhere_is_read_up_to_the_cut(Example example) throws Exception {
        for (int length = 0; length < example.text().length(); length++) {
            String cut = example.text().substring(0, length);
            assertThatCode(() -> CollectingSink.read(example.format(), cut))
                    .as(cut)
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void damage_within_the_text_is_counted(Example example) throws Exception {
        int middle = example.text().lastIndexOf(",\"");
        CollectingSink sink = CollectingSink.read(
                example.format(),
                example.text().substring(0, middle) + ";" + example.text().substring(middle + 1));

        assertThat(sink.skipped).isNotEmpty();
    }

    private static void readAll(ImportFormat format, List<String> texts) {
        for (String text : texts) {
            assertThatCode(() -> CollectingSink.read(format, text))
                    .as(text.length() < 20_000 ? text : "a text of " + text.length())
                    .doesNotThrowAnyException();
        }
    }
}
