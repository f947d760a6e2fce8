package io.metricsaggregator.report.html;

import io.metricsaggregator.report.markup.Markup;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The sections of a page, each with an anchor, and the list of contents that leads to them. Not thread-safe. */
public final class PageBody {
    private final Markup out = new Markup();
    private final Map<String, String> titles = new LinkedHashMap<>();

    /** Opens a section; {@link #end} ends it. */
    public Markup section(String title) {
        String anchor = anchor(title);
        titles.put(anchor, title);
        return out.open("section", "id", anchor).element("h2", title);
    }

    /** Ends the section. */
    public void end() {
        out.close();
    }

    /**
     * Opens a section of which only the title and a line show until it is opened, which following its link does; {@link #endFolded} ends it.
     *
     * @param line what it holds; may be empty
     */
    public Markup folded(String title, String line) {
        String anchor = anchor(title);
        titles.put(anchor, title);
        out.open("section").open("details", "class", "fold").open("summary").element("h2", title);
        if (!line.isEmpty()) {
            out.text(" ").element("span", line, "class", "small");
        }
        out.close();
        // The anchor lies inside, so that a browser opens what is around it.
        return out.open("div", "id", anchor);
    }

    /** Ends the folded section. */
    public void endFolded() {
        out.close().close().close();
    }

    /** An anchor that no section has, made from the title. */
    private String anchor(String title) {
        String words =
                title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        String anchor = words.isEmpty() ? "section" : words;
        for (int i = 2; titles.containsKey(anchor); i++) {
            anchor = words + "-" + i;
        }
        return anchor;
    }

    /** The list of links to all sections. */
    Markup contents() {
        Markup list = new Markup().open("nav", "aria-label", "Contents").open("ul");
        titles.forEach((anchor, title) ->
                list.open("li").element("a", title, "href", "#" + anchor).close());
        return list.close().close();
    }

    /** The sections written so far. */
    Markup sections() {
        return out;
    }
}
