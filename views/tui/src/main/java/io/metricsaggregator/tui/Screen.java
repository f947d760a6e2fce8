package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Renders the screen as lines of text: a pure function of history, view, time and size.
 */
public final class Screen {
    private final boolean unicode;
    private final @Nullable MetricsSnapshot baseline;
    private final @Nullable Expectation expected;

    /**
     * Creates a screen.
     *
     * @param unicode whether the terminal shows more than ASCII
     * @param baseline an earlier run to compare with; null without one
     * @param expected the expected length of the run; null if unknown
     */
    public Screen(boolean unicode, @Nullable MetricsSnapshot baseline, @Nullable Expectation expected) {
        this.unicode = unicode;
        this.baseline = baseline;
        this.expected = expected;
    }

    boolean hasBaseline() {
        return baseline != null;
    }

    /**
     * Renders the screen.
     *
     * @param nowNanos on the clock of the history
     * @param width columns, at least 20
     * @param height lines, at least 5
     * @return exactly {@code height} lines, none wider than {@code width}
     */
    public List<Line> render(History history, ViewState view, long nowNanos, int width, int height) {
        List<Line> lines = new ArrayList<>();
        History.Entry shown = view.isPaused() ? history.at(view.heldNanos()) : history.newest();
        if (shown == null) {
            lines.add(new Line()
                    .add(" waiting for a snapshot: is a daemon publishing there, and has the session started?"));
        } else if (view.showsHelp()) {
            lines.addAll(Help.lines(width));
        } else {
            RenderContext context = new RenderContext(history, shown, view, nowNanos, unicode, baseline, width, height);
            lines.addAll(Header.lines(context, expected));
            boolean over = shown.snapshot.state().isTerminal() && view.preset() == ViewState.Preset.OVERVIEW;
            List<Line> body = over ? report(shown.snapshot, width) : body(context);
            int room = height - lines.size() - 1;
            int first = Math.max(0, Math.min(view.scroll(), body.size() - room));
            body.subList(first, Math.min(body.size(), first + room)).forEach(lines::add);
        }
        List<Line> fitted = new ArrayList<>();
        for (int i = 0; i < height - 1; i++) {
            fitted.add(i < lines.size() ? lines.get(i).cut(width, cutMark()) : new Line());
        }
        fitted.add(Footer.line(view, width).cut(width, cutMark()));
        return fitted;
    }

    private char cutMark() {
        return unicode ? '…' : '~';
    }

    private static List<Line> body(RenderContext context) {
        return switch (context.view().preset()) {
            case OVERVIEW -> Overview.lines(context);
            case LATENCY -> LatencyPanel.closeUp(context);
            case THROUGHPUT -> RatesPanel.closeUp(context);
            case ERRORS -> Tables.errors(context, Integer.MAX_VALUE);
            case WORKERS -> Tables.workers(context, Integer.MAX_VALUE);
            case SERVERS -> Tables.servers(context);
            case DAEMON -> Tables.daemon(context);
            case RAW -> Tables.raw(context);
            case NODES -> NodesPanel.page(context);
        };
    }

    /** Renders the report of a run that has ended: its summary, and every table below. */
    private List<Line> report(MetricsSnapshot last, int width) {
        Report report = Report.of(last);
        return Stream.concat(
                        ReportFormat.TEXT.render(report, unicode, width - 1).lines(),
                        ("\n" + ReportFormat.FULL.render(report, unicode)).lines())
                .map(line -> new Line().add(" " + line))
                .toList();
    }

    /** Renders the screen as plain text for a file. */
    public String text(History history, ViewState view, long nowNanos, int width, int height) {
        StringBuilder text = new StringBuilder();
        render(history, view, nowNanos, width, height)
                .forEach(line -> text.append(line.text().stripTrailing()).append('\n'));
        return text.toString();
    }

    /**
     * The expected length of a run.
     *
     * @param nanos its duration; 0 if unknown
     * @param samples the number of samples; 0 if unknown
     */
    public record Expectation(long nanos, long samples) {}
}
