package io.metricsaggregator.cli.daemon;

import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.CollectOptions;
import io.metricsaggregator.cli.options.ConfigurationOptions;
import io.metricsaggregator.cli.options.EndpointOptions;
import io.metricsaggregator.cli.options.Endpoints;
import io.metricsaggregator.cli.options.ExportOptions;
import io.metricsaggregator.cli.options.JournalOptions;
import io.metricsaggregator.cli.options.LabelOptions;
import io.metricsaggregator.cli.options.LifecycleOptions;
import io.metricsaggregator.cli.options.LimitOptions;
import io.metricsaggregator.cli.options.MetricsOptions;
import io.metricsaggregator.cli.options.MlcommonsOptions;
import io.metricsaggregator.cli.options.OptionTable;
import io.metricsaggregator.cli.options.OutputOptions;
import io.metricsaggregator.cli.options.SocketOptions;
import io.metricsaggregator.cli.options.TokenOptions;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.daemon.Daemon;
import io.metricsaggregator.daemon.Judgement;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.options.EnergyOptions;
import io.metricsaggregator.options.FailureOptions;
import io.metricsaggregator.options.GoldenOptions;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.EnergySettings;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportException;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code run}: builds the daemon's configuration from its options and runs the daemon. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Aggregate the events of a run: receive them until the session ends, publish live snapshots, and write"
                    + " final_snapshot.json.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator run --in ipc:///tmp/events --out ipc:///tmp/metrics --output-dir results",
            "",
            "Endpoints are ipc://PATH or tcp://HOST:PORT; prefix bind: or connect: to override the default direction.",
            "SIGTERM and SIGHUP end the run as INTERRUPTED. SIGINT is ignored unless it arrives twice within 2 s or"
                    + " --foreground is given: a terminal sends it to the whole process group, and the parent decides when the"
                    + " run ends. With --socket-dir, SIGINT ends the run only with --foreground."
        })
@GroupedHelp.Usual({
    "--in",
    "--out",
    "--output-dir",
    "--label",
    "--slo",
    "--tokenizer",
    "--journal",
    "--scrape",
    "--host",
    "--web",
    "--linger-page",
    "--prometheus",
    "--config"
})
public final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private EndpointOptions endpoints = new EndpointOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private MetricsOptions metrics = new MetricsOptions();

    @Mixin
    private EnergyOptions energy = new EnergyOptions();

    @Mixin
    private FailureOptions failures = new FailureOptions();

    @Mixin
    private GoldenOptions golden = new GoldenOptions();

    @Mixin
    private LabelOptions labels = new LabelOptions();

    @Mixin
    private TokenOptions tokens = new TokenOptions();

    @Mixin
    private JournalOptions journal = new JournalOptions();

    @Mixin
    private CollectOptions collect = new CollectOptions();

    @Mixin
    private ExportOptions exports = new ExportOptions();

    @Mixin
    private LimitOptions limits = new LimitOptions();

    @Mixin
    private LifecycleOptions lifecycle = new LifecycleOptions();

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Mixin
    private MlcommonsOptions mlcommons = new MlcommonsOptions();

    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    /** The options of the command. */
    public static List<OptionTable.Option> options() {
        return OptionTable.read(RunOptions.TABLE);
    }

    /**
     * Builds the configuration of a run without picocli, whose model of the options takes a fifth of a start.
     *
     * @return null if only picocli can act on the arguments, or say what is wrong with them
     */
    public static @Nullable DaemonConfig config(List<OptionTable.Option> options, List<String> arguments)
            throws IOException {
        RunCommand command = new RunCommand();
        return OptionTable.parse(command, options, arguments) ? command.begin() : null;
    }

    /** The options that the settings of environment and file belong to. */
    public ConfigurationOptions configuration() {
        return configuration;
    }

    @Override
    public Integer call() throws IOException {
        if (limits.print(spec.commandLine().getOut(), collect)) {
            return 0;
        }
        if (configuration.isPrinted()) {
            config();
            configuration.print(spec.commandLine().getOut());
            return 0;
        }
        return run(begin());
    }

    private DaemonConfig begin() throws IOException {
        Daemon.removeStaleSignals(output.build(null).directory());
        return config();
    }

    /** Runs the daemon, and returns the exit status. */
    public static int run(DaemonConfig config) throws IOException {
        return Daemon.run(config, RunCommand::judge).code();
    }

    /** The verdict of {@code report}, for the last line of the log. */
    private static Judgement.Words judge(MetricsSnapshot last) {
        Verdict verdict = Verdict.of(last);
        return new Judgement.Words(verdict.validity().name(), verdict.factor());
    }

    /** Checks and builds the configuration. What a run requires may be missing if the settings are printed only. */
    private DaemonConfig config() throws IOException {
        DaemonConfig.Output files = output.build(configuration.isPrinted() ? Path.of("") : null);
        DaemonConfig.Endpoints connections = connections();
        // Before any socket or file is opened, because loading takes seconds and may fail.
        TokenizerOption.@Nullable Loaded loaded = tokens.load();
        if (mlcommons.areGiven() && tokens.source() == TokenSource.USAGE) {
            throw new IllegalArgumentException(
                    "--token-source usage does not go with MLCommons compatibility: endpoints counts tokens with a tokenizer");
        }
        if (loaded == null && metrics.needTokens() && tokens.source() != TokenSource.USAGE) {
            throw new IllegalArgumentException("--slo tpot= needs --tokenizer PATH: without it outputs have no length");
        }
        return DaemonConfig.builder(runConfig(loaded), resources(loaded), connections, files)
                .publishing(new DaemonConfig.Publishing(
                        output.publishIntervalNanos(), tokens.drainTimeoutNanos(mlcommons.areGiven())))
                .journal(journal.build())
                .exports(exports.build(sockets.allowsInsecureBind()))
                .collection(collect.build())
                .spans(collect.spans(sockets.allowsInsecureBind()))
                .lifecycle(lifecycle.build(mlcommons.areGiven()))
                .build();
    }

    private RunConfig runConfig(TokenizerOption.@Nullable Loaded loaded) throws IOException {
        RunConfig.Builder config = RunConfig.builder()
                .version(Version.text())
                .tokenizer(loaded == null ? null : loaded.settings())
                .tokenSource(tokens.source())
                .countUntracked(tokens.countsUntracked())
                .telemetry(collect.telemetry())
                .energy(energy.over(EnergySettings.NONE))
                .maxFailed(failures.build())
                .goldenLength(golden.build(labels.build()))
                .labels(labels.build())
                .node(labels.node());
        // Without its flag MLCommons endpoints reports no streaming series, even if chunks arrive.
        metrics.addTo(config, mlcommons.areGiven() ? Streaming.OFF : Streaming.AUTO);
        return config.build();
    }

    private RunResources resources(TokenizerOption.@Nullable Loaded loaded) {
        return new RunResources(
                tokens.resource(loaded),
                limits.inFlight(),
                limits.conversations(),
                limits.jobs(),
                limits.valuesMaxBytes(),
                limits.spillDirectory());
    }

    private DaemonConfig.Endpoints connections() throws IOException {
        List<Endpoint> in = new ArrayList<>(Endpoints.parse("--in", endpoints.inputs(), false));
        List<Endpoint> out = new ArrayList<>(Endpoints.parse("--out", endpoints.outputs(), true));
        DaemonConfig.Readiness readiness = mlcommons.addTo(in, out);
        if (in.isEmpty() && !collect.collects() && configuration.isPrinted()) {
            in.add(Endpoint.parse("ipc://missing", true));
        } else if (in.isEmpty() && !collect.collects()) {
            throw new IllegalArgumentException(
                    "there is no input: give --in ENDPOINT, --socket-dir DIR with --socket-name NAME, --host,"
                            + " --scrape URL, or --otlp-listen PORT");
        }
        TransportOptions transport = sockets.build();
        if (configuration.isPrinted()) {
            requireSafe("--in", in, transport);
            requireSafe("--out", out, transport);
        }
        return new DaemonConfig.Endpoints(in, out, readiness, transport);
    }

    /** Refuses what a run refuses when it binds its sockets. */
    private static void requireSafe(String option, List<Endpoint> endpoints, TransportOptions transport)
            throws IOException {
        for (Endpoint each : endpoints) {
            try {
                transport.requireSafe(each);
            } catch (TransportException e) {
                if (e.reason() != TransportException.Reason.UNSAFE) {
                    throw e;
                }
                throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
            }
        }
    }
}
