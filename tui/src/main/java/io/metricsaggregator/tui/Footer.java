package io.metricsaggregator.tui;

/** Renders the last line: the panel and the keys. */
final class Footer {
    private Footer() {}

    static Line line(ViewState view, int width) {
        if (!view.message().isEmpty()) {
            return new Line().add(" " + RenderContext.narrow(view.message(), width - 2), Style.KEY);
        }
        Line line = new Line()
                .add(" " + (view.preset().ordinal() + 1) + " " + view.preset().title(), Style.KEY);
        line.add("  ? help  tab panel  w window  m metric  p hold  ", Style.DIM);
        return line.add("<-> back  b baseline  e errors  s save  q leave", Style.DIM);
    }
}
