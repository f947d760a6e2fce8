package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Renders the screen as lines of text from history, view, time and size. It changes nothing but a scroll position past the end of the page.
 */
public final class Screen {
    /** Where the text of the header and of the report begins. */
    private static final int HEADER_INDENT = 9;

    private static final int REPORT_INDENT = 12;

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
        List<Line> header = new ArrayList<>();
        List<Line> body = new ArrayList<>();
        History.Entry shown = view.isPaused() ? history.at(view.heldNanos()) : history.newest();
        if (shown == null) {
            body.addAll(new Line()
                    .add(" waiting for a snapshot: is a daemon publishing there, and has the session started?")
                    .wrap(width, 1));
        } else if (view.showsHelp()) {
            body.addAll(Help.lines(width));
        } else {
            RenderContext context = new RenderContext(history, shown, view, nowNanos, unicode, baseline, width, height);
            header.addAll(header(context));
            int fixed = Math.min(header.size(), height / 2);
            body.addAll(header.subList(fixed, header.size()));
            header = header.subList(0, fixed);
            boolean over = shown.snapshot.state().isTerminal() && view.preset() == ViewState.Preset.OVERVIEW;
            body.addAll(over ? report(shown.snapshot, width) : body(context.sized(width, height - header.size() - 1)));
        }
        int room = height - header.size() - 1;
        int end = body.size();
        while (end > 0 && body.get(end - 1).text().isBlank()) {
            end--;
        }
        view.scrollAtMost(end - room);
        int first = view.scroll();
        int last = Math.min(end, first + room);
        List<Line> lines = new ArrayList<>(header);
        lines.addAll(body.subList(first, last));
        List<Line> fitted = new ArrayList<>();
        char mark = unicode ? '…' : '~';
        for (int i = 0; i < height - 1; i++) {
            fitted.add(i < lines.size() ? lines.get(i).cut(width, mark) : new Line());
        }
        fitted.add(Footer.line(view, width, first, end - last).cut(width, mark));
        return fitted;
    }

    /** The header; its lines wrap as long as they take no more than a third of the screen. */
    private List<Line> header(RenderContext context) {
        List<Line> lines = Header.lines(context, expected);
        List<Line> wrapped = lines.stream()
                .flatMap(each -> each.wrap(context.width(), HEADER_INDENT).stream())
                .toList();
        return wrapped.size() <= context.height() / 3 ? wrapped : lines;
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
                        ("\n" + ReportFormat.FULL.render(report, unicode, width - 1)).lines())
                .flatMap(line -> new Line().add(" " + line).wrap(width, Math.min(REPORT_INDENT, width / 2)).stream())
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
