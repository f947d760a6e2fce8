package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** What holds for the live page in a browser at any time of a run that has plots. */
final class PageChecks {
    private PageChecks() {}

    /** Checks facts of the layout that hold at every width and in both colour schemes. */
    static void layout(Browser browser, int width, String scheme) {
        browser.size(width, 900);
        browser.colours(scheme);
        browser.await("innerWidth === " + width);
        // Plots take their new size a frame after the window.
        browser.await("document.documentElement.scrollWidth <= innerWidth");
        assertThat(browser.value("""
                [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility()
                    && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
                    && parseFloat(getComputedStyle(each).fontSize) < 11).map((each) => each.outerHTML).join()""")).as("text below 11 px").isEqualTo("");
        assertThat(browser.value("""
                [...document.querySelectorAll('.tile dd:not(.detail)')].filter((each) => each.scrollWidth > each.clientWidth)
                    .map((each) => each.textContent).join()"""))
                .as("figures that do not fit their tile at %d px", width)
                .isEqualTo("");
        assertThat(browser.value("document.querySelectorAll('#charts canvas, #maps canvas').length"))
                .isEqualTo(6L);
        assertThat(browser.value("""
                [...document.querySelectorAll('#charts canvas, #maps canvas')].filter((canvas) => {
                  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                  return new Set(new Uint32Array(pixels.buffer)).size < 4;
                }).length""")).as("empty plots").isEqualTo(0L);
    }

    /**
     * Checks a page by axe, with everything unfolded: no violation of any rule, and no text whose contrast is below 4.5. The test is skipped
     * without the peers.
     *
     * @param schemes colours to check: {@code light}, {@code dark}
     */
    static void accessible(Browser browser, String page, String... schemes) {
        String axe = Python.resource("axe_core_python", "axe.min.js");
        for (String scheme : schemes) {
            browser.colours(scheme);
            browser.value("document.querySelectorAll('details').forEach(each => each.open = true)");
            // Axe cannot judge text on the shadows that say that a table scrolls.
            browser.value("(() => { const sheet = new CSSStyleSheet();"
                    + " sheet.replaceSync('.scroll { background-image: none !important }');"
                    + " document.adoptedStyleSheets = [sheet]; })()");
            browser.value(axe + ";0");
            // What axe leaves to a person is text of one character, and text behind another box, whose contrast it does
            // not know.
            assertThat((List<?>) browser.value("""
                    axe.run({ resultTypes: ['violations', 'incomplete'] }).then(({ violations, incomplete, passes }) => {
                      const told = (each) => each.nodes.map((node) => `${each.id}: ${node.target}: ${node.failureSummary}`);
                      const low = ({ data }) => data?.contrastRatio > 0 && data.contrastRatio < 4.5;
                      const unsure = incomplete.filter((each) => each.id === 'color-contrast')
                          .map((each) => ({ ...each, nodes: each.nodes.filter((node) => node.any.some(low)) }));
                      return passes.length < 10 ? ['no page'] : violations.concat(unsure).flatMap(told);
                    })"""))
                    .as("findings of axe on %s, %s", page, scheme)
                    .isEmpty();
        }
    }

    /** Checks that the last tile of each row ends where the rows end. */
    static void tiles(Browser browser) {
        for (int width : new int[] {1400, 1024, 390}) {
            browser.size(width, 900);
            browser.await("innerWidth === " + width);
            assertThat(browser.value("""
                    (() => {
                      const ends = new Map();
                      for (const tile of document.querySelectorAll('.tile')) {
                        const { top, right } = tile.getBoundingClientRect();
                        ends.set(Math.round(top), Math.max(ends.get(Math.round(top)) ?? 0, Math.round(right)));
                      }
                      return new Set(ends.values()).size;
                    })()"""))
                    .as("a hole among the tiles at %d px", width)
                    .isEqualTo(1L);
        }
    }

    /** Checks that the mouse over a heat map or a plot moves the cursor of all of them. */
    static void cursor(Browser browser) {
        String move = """
                ((place, across) => {
                  const { left, top } = place.getBoundingClientRect();
                  for (const type of ['mouseenter', 'mousemove']) {
                    place.dispatchEvent(new MouseEvent(type, { clientX: left + across, clientY: top + 40, bubbles: true }));
                  }
                })""";
        String lines =
                "[...document.querySelectorAll('.heat .cursor')].filter((line) => line.checkVisibility()).length";
        String plots =
                "[...document.querySelectorAll('#charts .u-cursor-x')].every((line) => !line.classList.contains('u-off'))";
        // A plot that is drawn in another size meanwhile loses its cursor until the mouse moves again.
        browser.await("(" + move + "(document.querySelector('.heat'), 90), " + lines + " === 2 && " + plots + ")");
        browser.value("document.querySelector('.heat').dispatchEvent(new MouseEvent('mouseleave'))");
        browser.await(lines + " === 0");
        // The plots begin before the first tracked sample, the maps do not.
        String plot = "document.querySelector('#charts .u-over')";
        browser.await("(" + move + "(" + plot + ", 0.8 * " + plot + ".clientWidth), " + lines + " === 2)");
    }

    /** Checks what a screen reader and a keyboard need. */
    static void access(Browser browser) {
        assertThat(browser.value(
                        "[...document.querySelectorAll('[aria-live], [role=status]')].map((each) => each.id).join()"))
                .isEqualTo("state,spoken");
        assertThat(browser.value("document.getElementById('state').getAttribute('aria-live')"))
                .isEqualTo("polite");
        assertThat(browser.value("document.querySelectorAll('header, nav, main, footer').length"))
                .isEqualTo(4L);
        assertThat(
                        browser.value(
                                "[...document.querySelectorAll('table:not(.u-legend)')].every((each) => each.caption.textContent !== '')"))
                .isEqualTo(true);
        assertThat(browser.value("[...document.querySelectorAll('canvas')].every((each) =>"
                        + " each.closest('[role=img]').getAttribute('aria-label').length > 40)"))
                .isEqualTo(true);
        browser.tab();
        assertThat(browser.value("document.activeElement.textContent")).isEqualTo("Skip to the figures");
        for (int i = 0; i < 7; i++) {
            browser.tab();
            assertThat(browser.value("document.activeElement.closest('nav') !== null"))
                    .isEqualTo(true);
        }
        browser.tab();
        assertThat(browser.value("document.activeElement.closest('main') !== null"))
                .isEqualTo(true);
    }

    /** Arrow keys, Home and End move the cursor of a plot, and what stands there is spoken. */
    static void keysOfPlots(Browser browser) {
        String press =
                "((...keys) => { const plot = document.querySelector('#charts [role=application]'); plot.focus();"
                        + " for (const key of keys) plot.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));"
                        + " const said = document.getElementById('spoken').textContent; plot.blur(); return said; })";
        assertThat(browser.value(press + "('Home')").toString()).matches("0:0\\d, completed \\d+, .*per second");
        assertThat(browser.value(press + "('End', 'ArrowRight')")).isEqualTo(browser.value(press + "('End')"));
        assertThat(browser.value(press + "('End', 'Escape')")).isEqualTo("");
        assertThat(browser.value("document.querySelectorAll('#charts [role=application][tabindex=\"0\"]').length"))
                .isEqualTo(browser.value("document.querySelectorAll('#charts figure').length"));
    }
}
