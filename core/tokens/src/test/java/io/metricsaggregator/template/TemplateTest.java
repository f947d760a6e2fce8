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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {

    /** Templates with the output of transformers' own environment: see src/test/python/render_templates.py. */
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
    void aTemplateThatExceedsItsLimitsOrReachesOutsideFails(String template) {
        assertThatThrownBy(() -> Template.parse(template).render(Map.of("x", List.of(1L))))
                .isInstanceOf(TemplateException.class);
    }

    private static final String DOUBLED =
            "{% set ns = namespace(x=['aaaaaaaaaaaaaaaa'], y=['aaaaaaaaaaaaaaaa'], t=(1,), u=(1,)) %}{% for i in range(60) %}"
                    + "{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% set ns.t = (ns.t, ns.t) %}{% endfor %}";
    private static final String LONG = "{% set s = 'a' * 8000000 %}{% set r = range(1000) %}";

    /** Templates with nested lists of 2^60 elements in 60 lists, and with texts that are read a million times. */
    static Stream<String> templatesWithoutEnd() {
        Stream<String> shared = Stream.of(
                        "{{ ns.x == ns.y }}",
                        "{{ ns.x != ns.y }}",
                        "{{ ns.x < ns.y }}",
                        "{{ ns.x in [ns.y] }}",
                        "{{ [ns.x].index(ns.y) }}",
                        "{{ [ns.x].count(ns.y) }}",
                        "{{ {'a': ns.x} == {'a': ns.y} }}",
                        "{{ ns.x }}",
                        "{{ {'a': ns.x} }}",
                        "{{ ns.x | string }}",
                        "{{ ns.x ~ '' }}",
                        "{{ '%s' % (ns.x,) }}",
                        "{{ '{}'.format(ns.x) }}",
                        "{{ [ns.x] | join }}",
                        "{{ ns.x | upper }}",
                        "{{ ns.x | tojson }}",
                        "{{ {'a': ns.x} | tojson(indent=2) }}",
                        "{{ {ns.t: 1} }}",
                        "{{ ns.t in {'a': 1} }}",
                        "{{ {'a': 1}[ns.t] }}",
                        "{{ {'a': 1}.get(ns.t) }}",
                        "{{ dict([(ns.t, 1)]) }}",
                        "{{ [ns.x, ns.y] | unique | list }}",
                        "{{ [ns.x, ns.y] | sort }}",
                        "{{ [ns.x, ns.y] | max }}",
                        "{{ [{'k': ns.x}, {'k': ns.y}] | groupby('k') }}",
                        "{{ [ns.x] | select('equalto', ns.y) | list }}",
                        "{{ [ns.x] | select('in', [ns.y]) | list }}",
                        "{{ ns.x is eq ns.y }}",
                        "{{ ns.x is lower }}",
                        "{{ raise_exception(ns.x) }}",
                        "{{ messages.index(ns.x) }}",
                        "{% for a in [ns.x, ns.y] %}{{ loop.changed(a) }}{% endfor %}")
                .map(each -> DOUBLED + each);
        Stream<String> texts = Stream.of(
                        "'b' in s",
                        "s.find('b')",
                        "s.rfind('b')",
                        "s.count('b')",
                        "s.startswith('b')",
                        "s.isdigit()",
                        "s | length",
                        "s[7999999]",
                        "s[::2] | length",
                        "s == 'a' * 8000000",
                        "s < s ~ 'b'",
                        "s.split() | length",
                        "s.replace('b', 'c')",
                        "s.strip('xyz')",
                        "s | wordcount",
                        "s is lower",
                        "s | int",
                        "s | list | length",
                        "s.splitlines() | length",
                        "strftime_now(s)")
                .map(each -> LONG + "{% for i in r %}{% for j in r %}{% if " + each
                        + " %}{% endif %}{% endfor %}{% endfor %}");
        Stream<String> others = Stream.of(
                LONG + "{% set p = 'a' * 4000000 ~ 'b' %}{% for i in r %}{% if p in s %}{% endif %}{% endfor %}",
                LONG + "{% set p = 'a' * 15 ~ 'b' %}{% for i in r %}{% if p in s %}{% endif %}{% endfor %}",
                "{{ ' a' * 4000000 }}{% for i in range(1000) %}{{ (' a' * 4000000).split() | length }}{% endfor %}",
                "{{ ('ab' * 2000000).rsplit('b', 1000000) | length }}",
                "{{ ('x' * 2000000).strip('abcdefghijklmnopqrstuvw' * 1000 ~ 'x') }}",
                "{% for i in range(1000) %}{{ [1, 2] | slice(100000, 'x') | list | length }}{% endfor %}",
                "{{ [[[[]]]] | tojson(indent='x' * 9000000) }}");
        return Stream.of(shared, texts, others).flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("templatesWithoutEnd")
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_template_without_end_fails_within_seconds(String template) {
        RenderLimits limits = new RenderLimits(24 << 20, 1 << 20, () -> {});
        assertThatThrownBy(() -> Template.parse(template).render(Map.of("messages", List.of(1L)), limits))
                .isInstanceOf(TemplateException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
    }

    @Test
    void a_rendering_reports_once_that_it_becomes_large() {
        AtomicInteger reports = new AtomicInteger();
        RenderLimits limits = new RenderLimits(1 << 20, 1000, reports::incrementAndGet);
        Template.parse("{{ 'x' * 900 }}").render(Map.of(), new RenderLimits(1 << 20, 5000, reports::incrementAndGet));
        assertThat(reports).hasValue(0);
        Template.parse("{{ 'x' * 900 }}{{ 'x' * 9000 }}").render(Map.of(), limits);
        assertThat(reports).hasValue(1);
        assertThatThrownBy(() -> Template.parse("{{ 'x' * 2000000 }}").render(Map.of(), limits))
                .hasMessageContaining("makes more than 1048576 characters");
    }

    @Test
    void deepNestingIsRejectedByTheParser() {
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
    void anExpressionChainThatIsTooLongFailsAsATemplateError() {
        for (String link : List.of("+1", "|abs", " if 1 else 2")) {
            assertThatThrownBy(() -> Template.parse("{{ 1" + link.repeat(200_000 / link.length()) + " }}")
                            .render(Map.of()))
                    .as(link)
                    .isInstanceOf(TemplateException.class);
        }
    }

    @Test
    void parseErrorsNameTheLine() {
        assertThatThrownBy(() -> Template.parse("a\nb\n{% if x %}\n{{ ) }}")).hasMessageContaining("line 4");
        assertThatThrownBy(() -> Template.parse("{% unknown %}")).hasMessageContaining("'unknown' is not supported");
    }

    @Test
    void strftimeFormatsLikePython() {
        ZonedDateTime time = ZonedDateTime.parse("2026-03-05T14:07:09Z");
        assertThat(Globals.time("%d %b %Y, %B %-d, %A %a %H:%M:%S %I %p %j %y %m", time))
                .isEqualTo("05 Mar 2026, March 5, Thursday Thu 14:07:09 02 PM 064 26 03");
    }
}
