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

    /**
     * The footer.
     *
     * @param above lines of the page above those on the screen
     * @param below lines of the page below those on the screen
     */
    static Line line(ViewState view, int width, int above, int below) {
        if (!view.message().isEmpty()) {
            return new Line().add(" " + RenderContext.narrow(view.message(), width - 2), Style.KEY);
        }
        Line line = new Line()
                .add(" " + (view.preset().ordinal() + 1) + " " + view.preset().title(), Style.KEY)
                .add("  ");
        String more = more(above, below);
        if (!more.isEmpty()) {
            line.add(line.width() + more.length() <= width ? more : above + " above, " + below + " below", Style.TITLE)
                    .add("  ");
        }
        return line.add(
                KEYS.stream()
                        .filter(keys -> line.width() + keys.length() <= width)
                        .findFirst()
                        .orElse(""),
                Style.DIM);
    }

    private static String more(int above, int below) {
        if (above == 0) {
            return below == 0 ? "" : "more below (" + lines(below) + ")";
        }
        return "more above (" + lines(above) + ")" + (below == 0 ? "" : ", below (" + lines(below) + ")");
    }

    private static String lines(int count) {
        return count == 1 ? "1 line" : count + " lines";
    }
}
