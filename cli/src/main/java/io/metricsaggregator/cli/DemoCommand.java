package io.metricsaggregator.cli;

import io.metricsaggregator.daemon.ExitStatus;
import io.metricsaggregator.report.Report;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The main job in twenty seconds: a producer and the daemon as processes of their own, over ipc. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Shows the main job: a producer with a made-up load and the daemon run as processes of their own, over ipc,"
                    + " for about 20 s; then comes the report.",
            ""
        })
final class DemoCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "12s",
            description =
                    "How long requests arrive; those in flight then go on to their end. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ofSeconds(12);

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "40",
            description = "Requests per second. Default: ${DEFAULT-VALUE}.")
    private double rate;

    @Option(
            names = "--all",
            description =
                    "Everything at once: KV-cache transfers, a node's resources, operations of a store, a worker's own"
                            + " metrics and a scraped exporter beside the load, and one HTML report of all.")
    private boolean all;

    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            description = "Where the files go. Default: a new directory for temporary files.")
    private @Nullable Path outputDirectory;

    private final List<Process> children = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Logging.quiet();
        if (outputDirectory != null && Files.exists(outputDirectory) && !Files.isDirectory(outputDirectory)) {
            throw new IllegalArgumentException("--output-dir " + outputDirectory + " is not a directory");
        }
        Path base = Files.createTempDirectory("metrics-aggregator-demo-");
        Path output = outputDirectory == null ? base.resolve("results") : outputDirectory;
        Path events = base.resolve("events");
        Path metrics = base.resolve("metrics");
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopChildren));
        System.out.println("The daemon takes events from ipc://" + events + ",");
        System.out.println("publishes snapshots on       ipc://" + metrics + ",");
        System.out.println("and leaves its files in      " + output + ".");
        System.out.println();
        try {
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
                run.addAll(List.of("--scrape", exporter(base) + ",interval=500ms,job=made-up"));
            }
            Process daemon = start(base.resolve("daemon.log"), run.toArray(new String[0]));
            if (all) {
                others(base);
            }
            start(
                    base.resolve("producer.log"),
                    "produce",
                    "--out",
                    "bind:ipc://" + events,
                    "--rate",
                    Double.toString(rate),
                    "--duration",
                    duration.toMillis() + "ms");
            MetricsSnapshot last = follow(metrics, daemon);
            if (!daemon.waitFor(10, TimeUnit.SECONDS) || daemon.exitValue() != 0 || last == null) {
                System.err.println(
                        "metrics-aggregator: the daemon did not end well; its log is " + base.resolve("daemon.log"));
                return ExitStatus.INTERNAL.code();
            }
            Path file = output.resolve(FinalSnapshotFile.NAME);
            Report report = Report.of(FinalSnapshotFile.read(file));
            System.out.println();
            Terminal.print(ReportFormat.TEXT.render(report, Terminal.isUtf8()) + "\n");
            System.out.println("Files    " + file);
            if (all) {
                Path page = output.resolve("report.html");
                OutputFile.write(page, ReportFormat.HTML.render(report, true), List.of(file));
                System.out.println("         " + page + " (open it in a browser: all of it on one axis of time)");
            }
            System.out.println("         " + base.resolve("daemon.log"));
            System.out.println("         " + base.resolve("producer.log"));
            System.out.println("Again    ./metrics-aggregator report " + file);
            return Follow.statusOf(last);
        } finally {
            stopChildren();
        }
    }

    /** Starts the exporter; answers its URL. */
    private String exporter(Path base) throws IOException, InterruptedException {
        Path log = base.resolve("exporter.log");
        Process exporter = start(log, "exporter");
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (exporter.isAlive() && System.nanoTime() - deadline < 0) {
            String said = Files.readString(log);
            if (said.startsWith("http") && said.endsWith("\n")) {
                return said.strip();
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new IOException("the made-up exporter did not start; its log is " + log);
    }

    /** Those who are neither the load generator nor scraped; they go on until the demo ends. */
    private void others(Path base) throws IOException {
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

    /** Shows how it goes, until the run has ended; null if it did not in time, or its process did before. */
    private @Nullable MetricsSnapshot follow(Path metrics, Process daemon) throws IOException {
        boolean inPlace = Terminal.isInteractive();
        long deadline = System.nanoTime() + duration.toNanos() + PATIENCE.toNanos();
        long nextLine = 0;
        try (SnapshotSubscriber subscriber = new SnapshotSubscriber(
                List.of(new Endpoint(Endpoint.Scheme.IPC, false, metrics.toString(), 0)),
                TransportOptions.defaults(),
                SnapshotSubscriber.Mode.LATEST)) {
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
                    System.out.print("\r\u001b[K" + SummaryLine.of(snapshot) + (ended ? "\n" : ""));
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

    /** Runs a sub-command in a JVM like this one. */
    private Process start(Path log, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (flag.startsWith("-X")) {
                command.add(flag);
            }
        }
        Collections.addAll(command, "-cp", System.getProperty("java.class.path"), Main.class.getName());
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
