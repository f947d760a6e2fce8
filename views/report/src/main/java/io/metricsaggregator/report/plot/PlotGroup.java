package io.metricsaggregator.report.plot;

import java.util.List;

/**
 * Plots of one source, which a page shows and folds together.
 *
 * @param title the source, such as {@code vLLM}
 * @param open whether the page shows them before a reader unfolds the group
 * @param plots curves; may be empty
 * @param breakdowns bars; may be empty
 */
public record PlotGroup(String title, boolean open, List<Plot> plots, List<Breakdown> breakdowns) {
    public PlotGroup {
        plots = List.copyOf(plots);
        breakdowns = List.copyOf(breakdowns);
    }

    /** Whether there is nothing to show. */
    public boolean isEmpty() {
        return plots.isEmpty() && breakdowns.isEmpty();
    }

    /** Number of plots. */
    public int size() {
        return plots.size() + breakdowns.size();
    }
}
