package io.metricsaggregator.cli.wrap;

import ch.qos.logback.classic.Level;
import io.metricsaggregator.cli.console.Logging;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.daemon.MlcommonsCommand;
import io.metricsaggregator.cli.files.QuietImport;
import io.metricsaggregator.cli.live.PublishedRecords;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.proxy.Proxy;
import io.metricsaggregator.proxy.ProxySettings;
import io.metricsaggregator.proxy.ProxyStatus;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code wrap}: runs a load tool, an agent or a script with its requests measured on their way to the server. */
@Command(
        name = "wrap",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Run a load tool, an agent or a script, and measure its requests: its target is replaced by a proxy on this machine"
                    + " that relays each byte to the server. The terminal and the exit status are the tool's; the tool's own results"
                    + " are imported at the end and shown beside ours.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator wrap --web 9470 -- aiperf profile --model MODEL --url http://server:8000 --streaming"
        })
public final class WrapCommand implements Callable<Integer> {
    private static final long POLL_MILLIS = 200;
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final Duration SUBSCRIBE = Duration.ofSeconds(30);

    @Parameters(
            paramLabel = "TOOL",
            arity = "1..*",
            description = "Command of the tool with its arguments, after --. Its exit status is returned.")
    private List<String> command = List.of();

    @Option(
            names = "--web",
            paramLabel = "[HOST:]PORT",
            description =
                    "Address to show the run live on in browsers; port 0: any free one. HOST defaults to 127.0.0.1.")
    private @Nullable String web;

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            defaultValue = "wrap-results",
            description =
                    "Directory for final_snapshot.json and daemon.log, created if missing. An earlier final_snapshot.json in it is"
                            + " renamed, not overwritten. Default: ${DEFAULT-VALUE}.")
    private Path output = Path.of("");

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(names = "--journal", paramLabel = "DIR", description = "Directory of a journal, as for run.")
    private @Nullable Path journal;

    @OptionGroup.In(OptionGroup.ENDPOINTS)
    @Option(
            names = "--upstream",
            paramLabel = "URL",
            description =
                    "The server to measure. Default: the one that the tool's arguments, files or environment name.")
    private @Nullable String upstream;

    @OptionGroup.In(OptionGroup.SECURITY)
    @Option(
            names = "--upstream-ca",
            paramLabel = "FILE",
            description =
                    "PEM file of the authorities that may sign the certificate of an https server. Default: those of the JDK.")
    private @Nullable Path upstreamCa;

    @OptionGroup.In(OptionGroup.ENDPOINTS)
    @Option(
            names = "--set-url",
            paramLabel = "FLAG|ENV:NAME",
            description =
                    "Flag or variable of the tool that takes the server's URL, for a tool without a rule, such as --set-url"
                            + " --server or --set-url ENV:BASE_URL. Repeatable.")
    private List<String> setUrls = List.of();

    @Option(names = "--explain", description = "Print how the command would be changed, and why, and run nothing.")
    private boolean isExplained;

    @Option(
            names = "--run-option",
            paramLabel = "OPTION",
            description = "Option to add to the daemon's command line, such as --run-option=--host. Repeatable.")
    private List<String> runOptions = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Logging.level(Level.WARN);
        TargetPlan plan = TargetPlan.of(command, upstream, setUrls, System.getenv());
        if (isExplained) {
            explain(plan, RewrittenCommand.of(plan, "http://127.0.0.1:9000", null));
            return 0;
        }
        // Refused before anything starts.
        RewrittenCommand.of(plan, "http://127.0.0.1:9000", null);
        Path scratch = Files.createTempDirectory("metrics-aggregator-wrap-");
        try {
            return run(plan, scratch);
        } finally {
            remove(scratch);
        }
    }

    private static void explain(TargetPlan plan, RewrittenCommand rewritten) {
        System.out.println("tool      " + plan.tool()
                + (plan.rule() == null ? " (no rule: URLs of the server in its arguments, and variables)" : ""));
        System.out.println("server    " + plan.upstream().url() + plan.upstreamPath());
        System.out.println("proxy     http://127.0.0.1:9000 here; any free port in a run");
        rewritten.changes().forEach(each -> System.out.println("change    " + each));
        rewritten.warnings().forEach(each -> System.out.println("note      " + each));
        System.out.println("command   " + rewritten.line());
    }

    private int run(TargetPlan plan, Path scratch) throws IOException, InterruptedException {
        Files.createDirectories(output);
        Path events = scratch.resolve("events");
        try (WrapDaemon daemon = new WrapDaemon(daemonCommand(events), output.resolve("daemon.log"));
                EventPublisher publisher = new EventPublisher(
                        List.of(new Endpoint(Endpoint.Scheme.IPC, true, events.toString(), 0)),
                        TransportOptions.defaults())) {
            String page = daemon.awaitPage(web != null);
            while (!publisher.awaitSubscribers(1, Duration.ofMillis(POLL_MILLIS))) {
                if (!daemon.isAlive()) {
                    throw new IOException("the daemon ended: " + daemon.lastLine());
                }
            }
            ProxySettings settings =
                    ProxySettings.of(URI.create(plan.upstream().url())).withUpstreamCa(upstreamCa);
            PublishedRecords records = new PublishedRecords(publisher);
            long startMillis = System.currentTimeMillis();
            int status;
            Proxy proxy = Proxy.start(settings, new RequestSession(records));
            try (proxy) {
                RewrittenCommand rewritten = RewrittenCommand.of(plan, proxy.url(), scratch);
                say(plan.tool() + " is measured on its way to "
                        + plan.upstream().url() + " by " + proxy.url() + (page == null ? "" : "; live page " + page));
                rewritten.warnings().forEach(WrapCommand::say);
                status = runTool(rewritten, proxy, plan);
                proxy.awaitDrained(Duration.ofSeconds(1));
            }
            ProxyStatus measured = proxy.status();
            publisher.flush(SUBSCRIBE);
            int daemonStatus = daemon.end(measured.measured() > 0);
            report(plan, measured, startMillis, scratch);
            return status == 0 && daemonStatus != 0 && measured.measured() > 0 ? daemonStatus : status;
        }
    }

    private List<String> daemonCommand(Path events) {
        List<String> run = new ArrayList<>(MlcommonsCommand.daemonCommand(MlcommonsCommand.launcher(), List.of()));
        run.addAll(List.of("--in", "connect:ipc://" + events, "--output-dir", output.toString(), "--exit-with-parent"));
        if (web != null) {
            run.addAll(List.of("--web", web.contains(":") ? web : "127.0.0.1:" + web));
        }
        if (journal != null) {
            run.addAll(List.of("--journal", journal.toString()));
        }
        run.addAll(runOptions);
        return run;
    }

    private static int runTool(RewrittenCommand rewritten, Proxy proxy, TargetPlan plan)
            throws IOException, InterruptedException {
        ToolProcess tool = new ToolProcess(rewritten.words(), rewritten.variables());
        try {
            long start = System.nanoTime();
            boolean silent = true;
            while (!tool.await(POLL_MILLIS)) {
                silent &= proxy.firstRequestNanos() == 0;
                if (silent && System.nanoTime() - start > SILENCE.toNanos()) {
                    silent = false;
                    say("nothing was requested through the proxy for " + SILENCE.toSeconds() + " s. If " + plan.tool()
                            + " should have begun: (1) write " + proxy.url() + " in the place of "
                            + plan.upstream().url()
                            + " in its settings or code; (2) name the flag or variable that takes the URL with --set-url FLAG"
                            + " or --set-url ENV:NAME; (3) name another server with --upstream URL");
                }
            }
            return tool.status();
        } finally {
            tool.kill();
        }
    }

    private void report(TargetPlan plan, ProxyStatus measured, long startMillis, Path scratch) throws IOException {
        if (measured.measured() == 0) {
            say("no request was measured, " + measured.other() + " passed unmeasured: see --explain");
            return;
        }
        say(measured.toLine());
        MetricsSnapshot ours;
        try {
            ours = FinalSnapshotFile.read(output);
        } catch (IOException e) {
            say("no final snapshot: " + e.getMessage() + "; see " + output.resolve("daemon.log"));
            return;
        }
        List<Path> files = ToolResults.find(plan, startMillis);
        if (!files.isEmpty()) {
            Path imported = scratch.resolve("imported");
            if (QuietImport.of(files, imported)) {
                say(plan.tool() + "'s own results, from " + files.get(0) + ":");
                FiguresBeside.of(ours, FinalSnapshotFile.read(imported)).forEach(System.err::println);
            } else {
                say(plan.tool() + "'s own results in " + files.get(0) + " could not be imported");
            }
        }
        say("files are in " + output + "; report: "
                + System.getProperty("metrics.aggregator.command", "metrics-aggregator") + " report " + output);
    }

    private static void say(String text) {
        System.err.println("metrics-aggregator: " + text);
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
