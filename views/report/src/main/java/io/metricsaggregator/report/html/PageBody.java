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
