package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The layout of the HTML report and of a comparison in a real browser: a run with every kind of telemetry, on a desk, a phone and paper. */
@Tag("chromium")
class ReportLayoutIT {
    /** Width of the text on an upright page of A4 with the margins of the stylesheet: 188 mm. */
    private static final int UPRIGHT = 710;
    /** The same of a landscape page: 275 mm. */
    private static final int LANDSCAPE = 1039;

    /** Elements that show text of their own, with its computed size. */
    private static final String SMALL_TEXT = """
            [...document.querySelectorAll('body *')]
              .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && e.getClientRects().length)
              .filter(e => parseFloat(getComputedStyle(e).fontSize) < 11)
              .map(e => e.outerHTML.slice(0, 80))""";

    private static final String DEAD_LINKS = """
            [...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))
              .filter(h => !h.startsWith('#') || !document.getElementById(h.slice(1)))""";

    private static final String TABLES_WITHOUT_A_BOX = """
            [...document.querySelectorAll('table')].filter(t => {
              const box = t.parentElement, style = getComputedStyle(box);
              return style.overflowX !== 'auto' || !style.backgroundImage.includes('gradient');
            }).map(t => t.outerHTML.slice(0, 80))""";

    private static final String WIDE_TABLES_WITHOUT_A_HINT = """
            [...document.querySelectorAll('.scroll')].filter(b => b.scrollWidth > b.clientWidth + 1).filter(b => {
              const hint = b.parentElement.querySelector('.hint');
              return !hint || getComputedStyle(hint).display === 'none';
            }).map(b => b.outerHTML.slice(0, 120))""";

    /** Ticks that stand outside of their figure or on each other, and frames that are too small to read. */
    private static final String BAD_PLOTS = """
            [...document.querySelectorAll('figure')].flatMap(f => {
              const box = f.getBoundingClientRect(), bad = [];
              if (!box.width) return [];
              for (const frame of f.querySelectorAll('.frame')) {
                const size = frame.getBoundingClientRect();
                if (size.width < 240 || size.height < 140) bad.push('frame ' + size.width + ' x ' + size.height);
                for (const axis of ['.x', '.y']) {
                  let before = null;
                  for (const tick of frame.querySelectorAll(axis)) {
                    const r = tick.getBoundingClientRect();
                    if (r.left < box.left || r.right > box.right || r.top < box.top) bad.push('outside: ' + tick.textContent);
                    if (before && r.left < before.right && before.left < r.right && r.top < before.bottom && before.top < r.bottom)
                      bad.push('over each other at ' + tick.textContent);
                    before = r;
                  }
                }
              }
              return bad.map(b => f.id + ': ' + b);
            })""";

    private static final String VALUES_WITHOUT_A_UNIT = """
            [...document.querySelectorAll('.h span')].flatMap(s => s.innerHTML.split('<br>').slice(1))
              .filter(line => !/[\\d.∞] ?(%|[a-zA-Zµ°][^ ]*)$|^([^:]*: )?0$/.test(line.trim()))""";

    private static final String CUT_TABLES = """
            [...document.querySelectorAll('table')].filter(t => t.getClientRects().length)
              .filter(t => t.getBoundingClientRect().right > document.querySelector('main').getBoundingClientRect().right + 1)
              .map(t => t.getBoundingClientRect().right + ': ' + t.outerHTML.slice(0, 200))""";

    @TempDir
    static Path directory;

    private static Browser browser;
    private static Path report;
    private static Path comparison;

    @BeforeAll
    static void writePages() throws IOException {
        browser = Browser.start(directory.resolve("profile"));
        Path run = directory.resolve("run");
        try (RunningProcess demo = Cli.start("demo", "--all", "--duration", "6s", "--output-dir", run.toString())) {
            assertThat(demo.awaitExit()).as("%s", demo).isZero();
        }
        report = run.resolve("report.html");
        comparison = directory.resolve("comparison.html");
        try (RunningProcess compare =
                Cli.start("compare", run.toString(), run.toString(), "--format", "html", "-o", comparison.toString())) {
            assertThat(compare.awaitExit()).as("%s", compare).isZero();
        }
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    private static List<?> found(String script) {
        return (List<?>) browser.value(script);
    }

    private static double number(String script) {
        return ((Number) browser.value(script)).doubleValue();
    }

    private static Path page(String name) {
        return name.equals("report") ? report : comparison;
    }

    @ParameterizedTest
    @CsvSource({"report, 1400", "report, 390", "comparison, 1400", "comparison, 390"})
    void aPageFitsItsWindowAndAllOfItIsReadable(String name, int width) {
        browser.open(page(name), width, "screen");
        browser.value("document.querySelectorAll('details').forEach(d => d.open = true)");
        assertThat(number("document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
        assertThat(found(SMALL_TEXT)).as("text below 11 px").isEmpty();
        assertThat(found(DEAD_LINKS)).as("links that lead nowhere").isEmpty();
        assertThat(number("document.querySelectorAll('nav a').length")).isGreaterThan(5);
        assertThat(found(TABLES_WITHOUT_A_BOX)).as("tables that cannot scroll").isEmpty();
        assertThat(found(BAD_PLOTS)).as("plots").isEmpty();
        assertThat(found(VALUES_WITHOUT_A_UNIT)).as("values of plots").isEmpty();
        assertThat(number("document.querySelectorAll('pre').length")).isZero();
        if (width < 600) {
            assertThat(found(WIDE_TABLES_WITHOUT_A_HINT)).isEmpty();
            assertThat(
                            number(
                                    "[...document.querySelectorAll('.scroll')].filter(b => b.scrollWidth > b.clientWidth).length"))
                    .as("tables that scroll")
                    .isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({"report", "comparison"})
    void aPageIsAccessible(String name) {
        browser.open(page(name), 1400, "screen");
        PageChecks.accessible(browser, name, "light");
    }

    @Test
    void everySourceOfTelemetryHasPlotsBelowItsTables() {
        browser.open(report, 1400, "screen");
        for (String section : List.of("servers-and-gpus", "nodes", "kv-cache-transfers", "operations", "own-metrics")) {
            assertThat(number("document.querySelectorAll('#" + section + " figure').length"))
                    .as(section)
                    .isPositive();
            assertThat(number("document.querySelectorAll('#" + section + " table').length"))
                    .as(section)
                    .isPositive();
        }
        assertThat(number("document.querySelectorAll('#servers-and-gpus details').length"))
                .isGreaterThan(2);
        assertThat(found("[...document.querySelectorAll('.tile>span')].map(e => e.textContent)"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .contains("time to first token", "latency of successes", "output tokens/s");
        assertThat(found("[...document.querySelectorAll('.tile dt')].map(e => e.textContent.replace('?', '').trim())"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .startsWith("p50", "p99", "p50", "p99");
    }

    @Test
    void valuesShowWhereverThePointerIsBetweenTheFirstAndTheLast() {
        browser.open(report, 1400, "screen");
        // The axis may begin before the session: on a busy machine telemetry is a second ahead of the samples.
        for (double part : new double[] {0.1, 0.5, 0.9}) {
            // On a busy machine the pointer moves before the page has scrolled: it is moved, to and fro, until a value
            // shows.
            int[] moves = {0};
            Await.until(
                    () -> {
                        List<?> place = found("(() => { const f = document.querySelector('#plot-throughput .frame');"
                                + " f.scrollIntoView({block: 'center'}); const r = f.getBoundingClientRect();"
                                + " const b = [...f.querySelectorAll('.h')].map(h => h.getBoundingClientRect());"
                                + " const from = b[0].left, to = b[b.length - 1].right;"
                                + " return [from + (to - from) * " + part + ", r.top + r.height * 0.3]; })()");
                        double x = ((Number) place.get(0)).doubleValue() + moves[0]++ % 2;
                        browser.point(x, ((Number) place.get(1)).doubleValue());
                        return !found(
                                        "[...document.querySelectorAll('.h span')].filter(s => s.getClientRects().length)")
                                .isEmpty();
                    },
                    () -> "a value at " + part + " of the plot");
            List<?> shown = found("[...document.querySelectorAll('.h span')].filter(s => s.getClientRects().length)"
                    + ".map(s => { const r = s.getBoundingClientRect();"
                    + " return s.innerText + (r.left < 0 || r.right > innerWidth ? ' OUTSIDE' : ''); })");
            assertThat(shown).hasSize(1);
            assertThat(shown.get(0).toString())
                    .containsPattern("^\\d:\\d\\d(\\.\\d)?\nissued: [\\d.]+ samples/s")
                    .doesNotContain("OUTSIDE");
        }
    }

    /** Presses keys in the plot of throughput; answers what is spoken and what shows. */
    private static List<?> pressed(String... keys) {
        return found("(() => { const f = document.querySelector('#plot-throughput .frame'); f.focus();"
                + " for (const key of '" + String.join(" ", keys) + "'.split(' '))"
                + " f.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));"
                + " return [document.querySelector('.spoken').textContent,"
                + " ...[...document.querySelectorAll('.h span')].filter(s => s.getClientRects().length)"
                + ".map(s => s.innerText.replaceAll('\\n', ', '))]; })()");
    }

    @Test
    void theKeyboardReadsTheValuesOfAPlotAndATableHasThemAll() {
        browser.open(report, 1400, "screen");
        List<?> first = pressed("Home");
        assertThat(first).hasSize(2);
        assertThat(first.get(0).toString()).matches("0:00(\\.\\d)?, issued: [\\d.]+ samples/s, .*");
        assertThat(first.get(1)).isEqualTo(first.get(0));
        assertThat(pressed("Home", "ArrowRight")).isNotEqualTo(first).hasSize(2);
        assertThat(pressed("Home", "ArrowRight", "ArrowLeft")).isEqualTo(first);
        assertThat(pressed("End", "ArrowRight")).isEqualTo(pressed("End")).isNotEqualTo(first);
        assertThat(pressed("Home", "Escape")).isEqualTo(List.of(""));
        assertThat(number("document.querySelectorAll('.frame[tabindex=\"0\"][role=application][aria-label]').length"))
                .isEqualTo(number(
                        "[...document.querySelectorAll('.frame')].filter(f => f.querySelector('.h,.dot')).length"))
                .isGreaterThan(20);
        // The rows of the table are the values under the pointer; a plot without values has no table.
        assertThat(
                        found(
                                "[...document.querySelectorAll('figure')].filter(f => f.querySelector('.frame')).filter(f => {"
                                        + " const rows = [...f.querySelectorAll('.values tbody tr')];"
                                        + " const shown = [...f.querySelectorAll('.h span')];"
                                        + " return rows.length !== shown.length || rows.some((r, i) => {"
                                        + " const text = shown[i].innerHTML.split('<br>');"
                                        + " return [...r.cells].some(c => c.textContent !== '-'"
                                        + " && !text.some(t => t.replace(/<.?b>/g, '').endsWith(c.textContent))); }); }).map(f => f.id)"))
                .as("plots whose table differs from their values")
                .isEmpty();
        assertThat(number("document.querySelectorAll('.values[open]').length")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"report", "comparison"})
    void paperShowsEveryColumnOfWhatIsOpenOnFewPages(String name) {
        browser.open(page(name), UPRIGHT, "print");
        assertThat(found(CUT_TABLES)).as("tables beyond the paper").isEmpty();
        assertThat(number("document.documentElement.scrollWidth")).isLessThanOrEqualTo(UPRIGHT);
        assertThat(found(BAD_PLOTS)).as("plots on paper").isEmpty();
        String pdf = new String(browser.pdf(), StandardCharsets.ISO_8859_1);
        assertThat(Pattern.compile("/MediaBox \\[0 0 59\\d\\S* 84\\d\\S*]")
                        .matcher(pdf)
                        .results()
                        .count())
                .as("upright pages")
                .isBetween(2L, 8L);
    }

    @Test
    void theReportIsReadWithoutScrollingForLong() {
        browser.open(report, 1400, "screen");
        assertThat(number("document.documentElement.scrollHeight")).isLessThan(5000);
        assertThat(number("document.querySelector('#verdict').getBoundingClientRect().top"))
                .isLessThan(200);
        // A link of the contents opens the part that it leads to.
        assertThat(number("document.querySelectorAll('details.fold[open]').length"))
                .isZero();
        browser.value("location.hash = 'nodes'");
        assertThat(
                        found(
                                "[...document.querySelectorAll('details.fold[open]')].map(e => e.querySelector('h2').textContent)"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactly("Nodes");
    }

    @Test
    void aTableOfManyColumnsLiesOnALandscapePage() {
        browser.open(report, LANDSCAPE, "print");
        // The widest table of the report with twice its columns, in the box that the page gives tables of more than 14.
        browser.value(
                "const box = document.querySelector('#durations-and-lengths .upright'); box.className = 'landscape';"
                        + " box.querySelectorAll('tr').forEach(row => [...row.children].slice(2, 10)"
                        + ".forEach(cell => row.append(cell.cloneNode(true))))");
        assertThat(number("document.querySelector('.landscape table').getBoundingClientRect().right"))
                .isLessThanOrEqualTo(LANDSCAPE);
        String pdf = new String(browser.pdf(), StandardCharsets.ISO_8859_1);
        assertThat(pdf)
                .containsPattern("/MediaBox \\[0 0 84\\d\\S* 59\\d\\S*]")
                .containsPattern("/MediaBox \\[0 0 59\\d\\S* 84\\d\\S*]");
    }
}
