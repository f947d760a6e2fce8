package io.metricsaggregator.report.html;

import io.metricsaggregator.report.markup.Markup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The frame of an HTML page: head, contents list, sections and footer. */
public final class HtmlPage {
    private static final String STYLE = style();
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; script-src " + PlotScript.SOURCE;

    private HtmlPage() {}

    /**
     * A complete page, whose content security policy forbids external resources, and all scripts but {@link PlotScript}.
     *
     * @param title of the window
     * @param header the heading of the page
     * @param body the sections
     * @param footer a sentence on where the figures come from
     */
    public static String render(String title, Markup header, PageBody body, String footer) {
        Markup page = new Markup()
                .doctype()
                .open("html", "lang", "en")
                .open("head")
                .empty("meta", "charset", "utf-8")
                .empty("meta", "http-equiv", "Content-Security-Policy", "content", POLICY)
                .empty("meta", "name", "viewport", "content", "width=device-width,initial-scale=1")
                .empty("meta", "name", "referrer", "content", "no-referrer")
                .empty("meta", "name", "color-scheme", "content", "light dark")
                .element("title", title)
                .stylesheet(STYLE)
                .close()
                .open("body")
                .open("div", "class", "page")
                .add(header)
                .add(body.contents())
                .open("main")
                .add(body.sections())
                .close()
                .element("footer", footer)
                .element("p", "", "class", "spoken", "aria-live", "polite")
                .close();
        PlotScript.add(page);
        return page.close().close().lineBreak().toString();
    }

    private static String style() {
        try (InputStream in = HtmlPage.class.getResourceAsStream("page.css")) {
            if (in == null) {
                throw new IllegalStateException("page.css is not in the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
