package io.metricsaggregator.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.JsonTree;
import java.io.IOException;
import java.io.InputStream;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {

    /** What transformers' own environment made of each: see src/test/python/render_templates.py. */
    static Stream<Arguments> cases() throws IOException {
        try (InputStream file =
                Objects.requireNonNull(TemplateTest.class.getResourceAsStream("/templates/cases.json"))) {
            List<?> cases = (List<?>) JsonTree.read(file.readAllBytes()).get("cases");
            return cases.stream().map(each -> Arguments.of(((Map<?, ?>) each).get("name"), each));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    @SuppressWarnings("unchecked")
    void everyTemplateRendersAsInTransformers(String name, Map<String, Object> testCase) {
        String template = (String) testCase.get("template");
        Map<String, Object> variables = (Map<String, Object>) testCase.get("variables");
        if (testCase.containsKey("error")) {
            assertThatThrownBy(() -> Template.parse(template).render(variables)).isInstanceOf(TemplateException.class);
        } else {
            assertThat(Template.parse(template).render(variables)).isEqualTo(testCase.get("text"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
                "{{ 'x' * 1000000000 }}",
                "{% set ns = namespace(x='xxxxxxxx') %}{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
                "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
                "{{ 'a'.ljust(1000000000) }}",
                "{{ [0] * 1000000000 }}",
                "{{ 9 ** 99 }}",
                "{{ ''.join(range(99999) | list * 9999) }}",
                "{% for a in range(99999) %}{% set x = range(99999) | sort %}{% endfor %}",
                "{{ 'a'.replace('', 'b') }}",
                "{{ [1] | map('map') | list }}",
                "{{ x[1:2:0] }}",
                "{% include 'file' %}",
                "{{ self }}{{ ''.__class__.__mro__ }}",
                "{{ {}.update({'a': 1}) }}",
            })
    void whatCostsTooMuchOrReachesOutEnds(String template) {
        assertThatThrownBy(() -> Template.parse(template).render(Map.of("x", List.of(1L))))
                .isInstanceOf(TemplateException.class);
    }

    @Test
    void deepNestingIsRefusedRatherThanFelt() {
        for (String template : List.of(
                "{{ " + "(".repeat(100_000) + "1" + ")".repeat(100_000) + " }}",
                "{{ " + "not ".repeat(100_000) + "1 }}",
                "{{ " + "-".repeat(100_000) + "1 }}",
                "{% if 1 %}".repeat(100_000),
                "{{ " + "[".repeat(100_000) + " }}")) {
            assertThatThrownBy(() -> Template.parse(template)).isInstanceOf(TemplateException.class);
        }
    }

    @Test
    void aChainTooLongToComputeIsAnErrorOfTheTemplate() {
        for (String link : List.of("+1", "|abs", " if 1 else 2")) {
            assertThatThrownBy(() -> Template.parse("{{ 1" + link.repeat(200_000 / link.length()) + " }}")
                            .render(Map.of()))
                    .as(link)
                    .isInstanceOf(TemplateException.class);
        }
    }

    @Test
    void errorsNameTheLine() {
        assertThatThrownBy(() -> Template.parse("a\nb\n{% if x %}\n{{ ) }}")).hasMessageContaining("line 4");
        assertThatThrownBy(() -> Template.parse("{% unknown %}")).hasMessageContaining("'unknown' is not supported");
    }

    @Test
    void theDateIsWrittenAsPythonWritesIt() {
        ZonedDateTime time = ZonedDateTime.parse("2026-03-05T14:07:09Z");
        assertThat(Globals.time("%d %b %Y, %B %-d, %A %a %H:%M:%S %I %p %j %y %m", time))
                .isEqualTo("05 Mar 2026, March 5, Thursday Thu 14:07:09 02 PM 064 26 03");
    }
}
