package io.metricsaggregator.cli.view;

import ch.qos.logback.classic.Level;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Logging;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.Endpoints;
import io.metricsaggregator.cli.options.Follow;
import io.metricsaggregator.cli.options.ListenAddress;
import io.metricsaggregator.cli.options.SocketOptions;
import io.metricsaggregator.options.DurationConverter;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import io.metricsaggregator.tui.History;
import io.metricsaggregator.tui.Screen;
import io.metricsaggregator.tui.TerminalLoop;
import io.metricsaggregator.tui.Viewer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code watch}: the live screen, a line per second where standard output is not a terminal, or the live page. */
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Show a run live in the terminal; press ? for the keys. It can start before the daemon, and leaving it does"
                    + " not affect the run. Without a terminal it prints one line per second.",
            ""
        },
        footer = {"", "Example: metrics-aggregator watch ipc:///tmp/metrics --baseline results-before"})
@GroupedHelp.Usual({
    "--baseline",
    "--expect",
    "--final",
    "--until-end",
    "--timeout",
    "--ascii",
    "--web",
    "--curve-key",
    "--curve-server-key"
})
public final class WatchCommand implements Callable<Integer> {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final long KEY_MILLIS = 40;
    private static final long SECOND = 1_000_000_000L;
    /** Exit status of a process that SIGTERM ended, as shells report it. */
    private static final int TERMINATED = 143;

    @Parameters(
            paramLabel = "ENDPOINT",
            arity = "1..*",
            description = "Endpoint that the daemon publishes snapshots on (connects).")
    private List<String> endpoints = List.of();

    @Option(
            names = "--baseline",
            paramLabel = "FILE",
            description = "final_snapshot.json of an earlier run, or its directory, to show differences to.")
    private @Nullable Path baseline;

    @Option(
            names = "--expect",
            paramLabel = "N",
            description =
                    "Expected length of the run, as a time (20m) or a number of samples (10000), to show progress.")
    private @Nullable String expected;

    @Option(
            names = "--final",
            paramLabel = "PATH",
            description = "final_snapshot.json of the run, or its directory; shown if the run has already ended.")
    private @Nullable Path finalFile;

    @Option(names = "--until-end", description = "Exit when the run ends, and print the report.")
    private boolean untilEnd;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Maximum time to wait for the end of the run, such as 30s or 5m. Default: no limit.")
    private @Nullable Duration timeout;

    @Option(
            names = "--ascii",
            description = "Draw with ASCII characters only. Default on a terminal that is not UTF-8.")
    private boolean ascii;

    @Option(
            names = "--web",
            paramLabel = "HOST:PORT",
            description =
                    "Show the run in browsers instead, at http://HOST:PORT/; port 0: any free one. The address is printed. After the end"
                            + " of the run the page stays until the timeout or a signal, unless --until-end is given. HOST defaults to"
                            + " 127.0.0.1; one that is not a loopback address needs --insecure-bind.")
    private @Nullable String web;

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Override
    public Integer call() throws IOException {
        Logging.level(Level.WARN);
        boolean unicode = !ascii && Terminal.isUtf8();
        Screen screen = new Screen(
                unicode,
                baseline == null ? null : FinalSnapshotFile.read(baseline),
                expected == null ? null : expect(expected));
        Follow follow = new Follow(timeout, finalFile);
        InetSocketAddress address =
                web == null ? null : ListenAddress.parse("--web", web, sockets.allowsInsecureBind(), "the live page");
        try (SnapshotSubscriber subscriber = new SnapshotSubscriber(
                Endpoints.parse("ENDPOINT", endpoints, false), sockets.build(), SnapshotSubscriber.Mode.LATEST)) {
            if (address != null) {
                return new WatchPage(subscriber, follow, endpoints).serve(address, untilEnd);
            }
            return Terminal.isInteractive()
                    ? watch(subscriber, follow, screen, unicode)
                    : print(subscriber, follow, unicode);
        }
    }

    private static Screen.Expectation expect(String text) {
        if (text.matches("\\d+")) {
            return new Screen.Expectation(0, Long.parseLong(text));
        }
        try {
            return new Screen.Expectation(new DurationConverter().convert(text).toNanos(), 0);
        } catch (CommandLine.TypeConversionException e) {
            throw new IllegalArgumentException(
                    "--expect: " + e.getMessage() + ". A whole number is a number of samples", e);
        }
    }

    private int watch(SnapshotSubscriber subscriber, Follow follow, Screen screen, boolean unicode) throws IOException {
        History history = new History();
        MetricsSnapshot last = null;
        boolean left = false;
        boolean colours =
                System.getenv("NO_COLOR") == null || System.getenv("NO_COLOR").isEmpty();
        try (TerminalLoop terminal = new TerminalLoop(colours)) {
            Viewer viewer = new Viewer(screen, history, terminal);
            while (!left && !follow.isOver() && !(untilEnd && Follow.hasEnded(last))) {
                MetricsSnapshot next = subscriber.next(SHORT);
                if (next == null && last == null) {
                    next = follow.onDisk();
                }
                if (next != null) {
                    last = next;
                    history.add(System.nanoTime(), next);
                }
                left = !viewer.turn(System.nanoTime(), KEY_MILLIS);
            }
            if (terminal.isEnding()) {
                terminal.awaitEnd();
                return TERMINATED;
            }
        }
        if (Follow.hasEnded(last) && last != null) {
            Terminal.print(
                    untilEnd
                            ? ReportFormat.TEXT.render(Report.of(last), unicode, Terminal.columns())
                            : SummaryLine.of(last) + "\n");
            return Follow.statusOf(last);
        }
        return left ? 0 : follow.status(last, subscriber.connected());
    }

    /** Prints a line per second, and the report at the end. */
    private int print(SnapshotSubscriber subscriber, Follow follow, boolean unicode) throws IOException {
        MetricsSnapshot last = null;
        long nextLine = System.nanoTime();
        while (!follow.isOver() && !Follow.hasEnded(last)) {
            MetricsSnapshot next = subscriber.next(Follow.CHECK_INTERVAL);
            follow.notePublishers(subscriber, endpoints);
            if (next == null && last == null) {
                next = follow.onDisk();
            }
            last = next == null ? last : next;
            if (next != null && !Follow.hasEnded(next) && System.nanoTime() - nextLine >= 0) {
                nextLine = System.nanoTime() + SECOND;
                if (!Terminal.print(SummaryLine.of(next) + "\n")) {
                    return 0; // Closed, or StandardOutput reports the failure.
                }
            }
        }
        if (last != null && Follow.hasEnded(last)) {
            Terminal.print(ReportFormat.TEXT.render(Report.of(last), unicode, Terminal.columns()));
        }
        return follow.status(last, subscriber.connected());
    }
}
