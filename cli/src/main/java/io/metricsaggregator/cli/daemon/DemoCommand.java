package io.metricsaggregator.cli.daemon;

import ch.qos.logback.classic.Level;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.cli.console.Logging;
import io.metricsaggregator.cli.console.OutputFile;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.Follow;
import io.metricsaggregator.cli.view.SummaryLine;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code demo}: runs a synthetic producer and the daemon as separate processes over ipc, then prints the report. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Run a synthetic producer and the daemon as separate processes over ipc for about 25 s, then print the"
                    + " report.",
            ""
        },
        footer = {"", "Example: metrics-aggregator demo --all --output-dir demo-results"})
public final class DemoCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern PAGE = Pattern.compile("live page started url=(\\S+)");

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "15s",
            description = "Issue requests for TIME; those in flight then finish. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ofSeconds(15);

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "40",
            description = "Requests per second. Default: ${DEFAULT-VALUE}.")
    private double rate;

    @Option(
            names = "--all",
            description =
                    "Add KV-cache transfers, a node's resources, operations of a store, a worker's custom metrics and a"
                            + " scraped exporter with the energy of two GPUs to the load, state a price of 12.5 USD an hour, and"
                            + " write one HTML report of everything.")
    private boolean all;

    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            description = "Directory for the output files. Default: a new temporary directory.")
    private @Nullable Path outputDirectory;

    @Option(
            names = "--web",
            paramLabel = "[HOST:]PORT",
            description =
                    "Address to show the run live on in browsers; port 0: any free one. HOST defaults to 127.0.0.1.")
    private @Nullable String web;

    private final List<Process> children = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Logging.level(Level.WARN);
        if (outputDirectory != null && Files.exists(outputDirectory) && !Files.isDirectory(outputDirectory)) {
            throw new IllegalArgumentException("--output-dir " + outputDirectory + " is not a directory");
        }
        Path base = Files.createTempDirectory("metrics-aggregator-demo-");
        Path output = outputDirectory == null ? base.resolve("results") : outputDirectory;
        Path events = base.resolve("events");
        Path metrics = base.resolve("metrics");
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopChildren));
        System.out.println("The daemon receives events from ipc://" + events + ",");
        System.out.println("publishes snapshots on          ipc://" + metrics + ",");
        System.out.println("and writes its files to         " + output + ".");
        System.out.println();
        try {
            Process daemon = startDaemon(base, events, metrics, output);
            if (web != null) {
                System.out.println("The live page is " + awaitPage(daemon, base.resolve("daemon.log")));
            }
            if (all) {
                startTelemetryProducers(base);
            }
            List<String> produce = new ArrayList<>(List.of(
                    "produce",
                    "--out",
                    "bind:ipc://" + events,
                    "--rate",
                    Double.toString(rate),
                    "--duration",
                    duration.toMillis() + "ms",
                    "--optional-keys"));
            start(base.resolve("producer.log"), produce.toArray(new String[0]));
            MetricsSnapshot last = follow(metrics, daemon);
            if (!daemon.waitFor(10, TimeUnit.SECONDS) || daemon.exitValue() != 0 || last == null) {
                System.err.println("metrics-aggregator: the daemon failed; see its log " + base.resolve("daemon.log"));
                return ExitStatus.INTERNAL.code();
            }
            printResults(base, output);
            return Follow.statusOf(last);
        } finally {
            stopChildren();
        }
    }

    private Process startDaemon(Path base, Path events, Path metrics, Path output)
            throws IOException, InterruptedException {
        List<String> run = new ArrayList<>(List.of(
                "run",
                "--in",
                "connect:ipc://" + events,
                "--out",
                "bind:ipc://" + metrics,
                "--output-dir",
                output.toString(),
                "--streaming"));
        if (all) {
            run.addAll(List.of("--in", "bind:ipc://" + base.resolve("others"), "--host", "--scrape-window", "2s"));
            run.addAll(List.of("--scrape", startExporter(base) + ",interval=250ms,job=synthetic"));
            run.addAll(List.of("--price", "12.5/h"));
        }
        if (web != null) {
            // The page shows the end of the run; the demo then prints its report without waiting for the reader of the
            // page.
            run.addAll(List.of("--web", web, "--linger-page", "2s"));
        }
        return start(base.resolve("daemon.log"), run.toArray(new String[0]));
    }

    /** Returns the URL of the live page once the daemon serves it. */
    private static String awaitPage(Process daemon, Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (daemon.isAlive() && System.nanoTime() - deadline < 0) {
            Matcher page = PAGE.matcher(Files.readString(log));
            if (page.find()) {
                return page.group(1);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new IOException("the daemon serves no page; see its log " + log);
    }

    private void printResults(Path base, Path output) throws IOException {
        Path file = output.resolve(FinalSnapshotFile.NAME);
        Report report = Report.of(FinalSnapshotFile.read(file));
        System.out.println();
        Terminal.print(ReportFormat.TEXT.render(report, Terminal.isUtf8(), Terminal.columns()) + "\n");
        System.out.println("Files    " + file);
        if (all) {
            Path page = output.resolve("report.html");
            OutputFile.write(page, ReportFormat.HTML.render(report, true), List.of(file));
            System.out.println("         " + page + " (open it in a browser: all metrics on one time axis)");
        }
        System.out.println("         " + base.resolve("daemon.log"));
        System.out.println("         " + base.resolve("producer.log"));
        System.out.println("Again    " + System.getProperty("metrics.aggregator.command", "metrics-aggregator")
                + " report " + file);
    }

    /** Starts the synthetic exporter and returns its URL. */
    private String startExporter(Path base) throws IOException, InterruptedException {
        Path log = base.resolve("exporter.log");
        Process exporter = start(log, "exporter");
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (exporter.isAlive() && System.nanoTime() - deadline < 0) {
            String output = Files.readString(log);
            if (output.startsWith("http") && output.endsWith("\n")) {
                return output.strip();
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new IOException("the synthetic exporter did not start; see its log " + log);
    }

    /** Starts the agent and the producers of the other telemetry kinds; they run until the demo ends. */
    private void startTelemetryProducers(Path base) throws IOException {
        String others = "connect:ipc://" + base.resolve("others");
        String time = duration.plus(PATIENCE).toMillis() + "ms";
        start(base.resolve("agent.log"), "agent", "--out", others, "--node", "other-node", "--interval", "500ms");
        for (String[] each : new String[][] {{"transfers", "200"}, {"operations", "100"}, {"metrics", "60"}}) {
            start(
                    base.resolve(each[0] + ".log"),
                    "produce",
                    "--kind",
                    each[0],
                    "--rate",
                    each[1],
                    "--duration",
                    time,
                    "--out",
                    others);
        }
    }

    /** Prints progress until the run ends. Null if it did not end in time or the daemon exited before. */
    private @Nullable MetricsSnapshot follow(Path metrics, Process daemon) throws IOException {
        boolean inPlace = Terminal.isInteractive();
        long deadline = System.nanoTime() + duration.toNanos() + PATIENCE.toNanos();
        long nextLine = 0;
        try (SnapshotSubscriber subscriber = new SnapshotSubscriber(
                List.of(new Endpoint(Endpoint.Scheme.IPC, false, metrics.toString(), 0)),
                TransportOptions.defaults(),
                SnapshotSubscriber.Mode.LATEST)) {
            int columns = Terminal.columns();
            while (System.nanoTime() - deadline < 0) {
                MetricsSnapshot snapshot = subscriber.next(Duration.ofMillis(100));
                if (snapshot == null) {
                    if (!daemon.isAlive()) {
                        return null;
                    }
                    continue;
                }
                boolean ended = snapshot.state().isTerminal();
                if (inPlace) {
                    System.out.print("\r\u001b[K" + SummaryLine.of(snapshot, columns - 1) + (ended ? "\n" : ""));
                    System.out.flush();
                } else if (ended || System.nanoTime() - nextLine >= 0) {
                    System.out.println(SummaryLine.of(snapshot));
                    nextLine = System.nanoTime() + 1_000_000_000L;
                }
                if (ended) {
                    return snapshot;
                }
            }
        }
        return null;
    }

    /** Starts a sub-command in a JVM with the same -X flags as this one. */
    private Process start(Path log, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (flag.startsWith("-X")) {
                command.add(flag);
            }
        }
        Collections.addAll(command, "-cp", System.getProperty("java.class.path"), Version.MAIN_CLASS);
        Collections.addAll(command, arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        synchronized (children) {
            children.add(process);
        }
        return process;
    }

    private void stopChildren() {
        synchronized (children) {
            children.forEach(Process::destroy);
        }
    }
}
