package io.metricsaggregator.tui;

import java.util.List;

/** Renders the last line: the page and the keys. */
final class Footer {
    /** The keys, from the longest text to the shortest. */
    private static final List<String> KEYS = List.of(
            "?/h help   1-9 or tab page   w window   m metric   p hold   left/right step   b baseline   s save   q leave",
            "? help  tab page  w window  m metric  p hold  s save  q leave",
            "? help  tab page  p hold  q leave",
            "? help  q leave",
            "? q");

    private Footer() {}

    static Line line(ViewState view, int width) {
        if (!view.message().isEmpty()) {
            return new Line().add(" " + RenderContext.narrow(view.message(), width - 2), Style.KEY);
        }
        Line line = new Line()
                .add(" " + (view.preset().ordinal() + 1) + " " + view.preset().title(), Style.KEY)
                .add("  ");
        return line.add(
                KEYS.stream()
                        .filter(keys -> line.width() + keys.length() <= width)
                        .findFirst()
                        .orElse(""),
                Style.DIM);
    }
}
