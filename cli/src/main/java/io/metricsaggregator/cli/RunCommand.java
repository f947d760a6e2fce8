package io.metricsaggregator.cli;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.daemon.Daemon;
import io.metricsaggregator.fold.Slo;
import io.metricsaggregator.fold.Streaming;
import io.metricsaggregator.tokens.TransformersVersion;
import io.metricsaggregator.transport.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The daemon. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Receives events until the session ends, publishes snapshots meanwhile, and leaves final_snapshot.json.",
            ""
        },
        footer = {
            "",
            "Endpoints are ipc://PATH or tcp://HOST:PORT, with bind: or connect: in front where the default is not meant.",
            "SIGTERM and SIGHUP end the run as INTERRUPTED. SIGINT is left to the parent, unless --foreground is given or"
                    + " it comes twice within 2 s; with --socket-dir only --foreground makes it end the run."
        })
final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--in",
            paramLabel = "ENDPOINT",
            description = "Where events come from; connected to unless it says bind:. May be repeated.")
    private List<String> inputs = List.of();

    @Option(
            names = "--out",
            paramLabel = "ENDPOINT",
            description = "Where snapshots are published; bound unless it says connect:. May be repeated.")
    private List<String> outputs = List.of();

    @Option(
            names = {"--output-dir", "--metrics-output-dir"},
            paramLabel = "DIR",
            required = true,
            description =
                    "Directory of final_snapshot.json, made if it is not there. What an earlier run left is put aside.")
    private @Nullable Path outputDirectory;

    @Option(
            names = "--fallback-dir",
            paramLabel = "DIR",
            description = "Directory for final_snapshot.json if it cannot be written there.")
    private @Nullable Path fallbackDirectory;

    @Option(
            names = "--output-mode",
            paramLabel = "MODE",
            defaultValue = "600",
            description = "Permissions of final_snapshot.json, octal. Default: ${DEFAULT-VALUE}.")
    private String outputMode = "600";

    @Option(
            names = "--socket-dir",
            paramLabel = "DIR",
            description = "As MLCommons endpoints has it: directory of the sockets named by the next three options.")
    private @Nullable Path socketDirectory;

    @Option(
            names = "--socket-name",
            paramLabel = "NAME",
            description = "Socket in --socket-dir that events come from (connected to).")
    private @Nullable String socketName;

    @Option(
            names = "--metrics-socket",
            paramLabel = "NAME",
            description = "Socket in --socket-dir that snapshots are published on (bound).")
    private @Nullable String metricsSocket;

    @Option(
            names = "--readiness-path",
            paramLabel = "NAME",
            description = "Socket in --socket-dir of a PULL that is told when the daemon is ready.")
    private @Nullable String readinessPath;

    @Option(
            names = "--readiness-id",
            paramLabel = "N",
            defaultValue = "0",
            description = "Number it is told. Default: ${DEFAULT-VALUE}.")
    private long readinessId;

    @Option(
            names = "--publish-interval",
            paramLabel = "SECONDS",
            converter = DurationConverter.Seconds.class,
            defaultValue = "0.25",
            description = "Time between snapshots, at least 1ms; also 250ms. Default: ${DEFAULT-VALUE} s.")
    private Duration publishInterval = Duration.ofMillis(250);

    @Option(
            names = "--drain-timeout",
            paramLabel = "SECONDS",
            converter = DurationConverter.Seconds.class,
            defaultValue = "0",
            description = "Time for what is still to be counted after the session has ended; 0 is no limit."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration drainTimeout = Duration.ZERO;

    @Option(
            names = "--hdr-sig-figs",
            paramLabel = "N",
            defaultValue = "3",
            description = "Significant figures of live percentiles, 1 to 5. Final ones are exact. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int significantFigures;

    @Option(
            names = "--n-histogram-buckets",
            paramLabel = "N",
            defaultValue = "30",
            description = "Buckets of the histograms in snapshots, 1 to 10000. Default: ${DEFAULT-VALUE}.")
    private int displayBuckets;

    @Mixin
    private TrackingOptions tracking = new TrackingOptions();

    @Option(
            names = "--tokenizer",
            paramLabel = "PATH",
            description =
                    "Count tokens with this tokenizer.json: the file, its folder, or the name of a model in the local"
                            + " hub cache. Nothing is downloaded. Without it, only prompts that come with token ids have a length.")
    private @Nullable String tokenizer;

    @Option(
            names = "--tokenizer-workers",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Threads that count while the run goes on; afterwards every core does. 0 leaves all of it for the"
                            + " end. Default: ${DEFAULT-VALUE}.")
    private int tokenizerWorkers;

    @Option(
            names = "--transformers-version",
            paramLabel = "VERSION",
            converter = TransformersVersionConverter.class,
            defaultValue = "5.5.0",
            description =
                    "Render chats as this version of transformers does: from 5.21 on, templates find a message's reasoning"
                            + " as reasoning_content and as thinking. Default: ${DEFAULT-VALUE}, as MLCommons endpoints pins it.")
    private TransformersVersion transformersVersion = TransformersVersion.DEFAULT;

    @Option(
            names = "--max-text-memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "Memory for texts that wait to be counted, outside the heap; beyond it texts stay uncounted, and"
                            + " pending. Default: 15%% of what the heap may take.")
    private @Nullable Long textMaxBytes;

    @Option(
            names = "--early-stopping",
            description =
                    "Add the estimates of MLPerf's early stopping to the final snapshot: for each percentile from 50"
                            + " up the bound that holds with 99 %% confidence.")
    private boolean earlyStopping;

    @Option(
            names = "--slo",
            paramLabel = "LIMITS",
            converter = SloConverter.class,
            description =
                    "Objectives, such as ttft=500ms,tpot=40ms,latency=10s,share=95%%: say how many samples meet all"
                            + " of the limits given (goodput), and whether the share of them (default 90%%) is reached.")
    private @Nullable Slo objectives;

    @Option(names = "--strict", description = "Exit with status 6 if anything received was not applied.")
    private boolean strict;

    @Option(names = "--foreground", description = "A single SIGINT (^C) ends the run as INTERRUPTED.")
    private boolean foreground;

    @Option(
            names = "--exit-with-parent",
            description = "The end of the process that started the daemon interrupts the run, as SIGTERM does.")
    private boolean exitWithParent;

    @Mixin
    private LimitOptions limits = new LimitOptions();

    @Option(
            names = "--max-values-memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "Memory for values, outside the heap, mostly 3 to 5 bytes each; beyond it see --spill-dir. Default: as"
                            + " much as the heap may take, a quarter of the machine's memory.")
    private @Nullable Long valuesMaxBytes;

    @Option(
            names = "--spill-dir",
            paramLabel = "DIR",
            description =
                    "Values beyond --max-values-memory go to an unnamed file in DIR. Default: they go nowhere, and"
                            + " percentiles of the series that needed more are those of histograms, and say so.")
    private @Nullable Path spillDirectory;

    @Mixin
    private JournalOptions journal = new JournalOptions();

    @Option(
            names = "--stall-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "A daemon whose main flow has not moved for TIME writes what its last snapshot showed, as"
                    + " INTERRUPTED, and exits with status 70; 0: never. Default: ${DEFAULT-VALUE}.")
    private Duration stallTimeout = Duration.ofSeconds(30);

    @Mixin
    private CollectOptions collect = new CollectOptions();

    @Mixin
    private ExportOptions exports = new ExportOptions();

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Override
    public Integer call() throws IOException {
        if (limits.print(spec.commandLine().getOut(), collect)) {
            return 0;
        }
        return Daemon.run(config()).code();
    }

    private DaemonConfig config() throws IOException {
        if (outputDirectory == null) {
            throw new IllegalArgumentException("--output-dir is missing");
        }
        DaemonConfig.Endpoints endpoints = endpoints();
        // Before any socket or file is opened: it takes seconds, and may fail.
        TokenizerOption.@Nullable Loaded loaded = tokenizer();
        return DaemonConfig.builder(
                        runConfig(loaded),
                        resources(loaded),
                        endpoints,
                        new DaemonConfig.Output(outputDirectory, fallbackDirectory, mode(outputMode)))
                .publishing(new DaemonConfig.Publishing(publishInterval.toNanos(), drainTimeout.toNanos()))
                .journal(journal.build())
                .exports(exports.build(sockets.allowsInsecureBind()))
                .collection(collect.build())
                .lifecycle(new DaemonConfig.Lifecycle(
                        foreground, exitWithParent, socketDirectory != null, strict, stallTimeout.toNanos()))
                .build();
    }

    private RunConfig runConfig(TokenizerOption.@Nullable Loaded loaded) {
        return RunConfig.builder()
                .version(Version.text())
                .significantFigures(significantFigures)
                .displayBuckets(displayBuckets)
                // Without the flag MLCommons endpoints has no such series, whatever comes.
                .streaming(tracking.streaming(socketDirectory == null ? Streaming.AUTO : Streaming.OFF))
                .trackAll(tracking.tracksAll())
                .earlyStopping(earlyStopping)
                .objectives(objectives)
                .tokenizer(loaded == null ? null : loaded.settings())
                .telemetry(collect.telemetry())
                .build();
    }

    private RunResources resources(TokenizerOption.@Nullable Loaded loaded) {
        return new RunResources(
                loaded == null ? null : loaded.resource(tokenizerWorkers, textMaxBytes),
                limits.inFlight(),
                valuesMaxBytes == null ? Runtime.getRuntime().maxMemory() : valuesMaxBytes,
                spillDirectory());
    }

    private DaemonConfig.Endpoints endpoints() throws IOException {
        List<Endpoint> in = new ArrayList<>(Endpoints.parse(inputs, false));
        List<Endpoint> out = new ArrayList<>(Endpoints.parse(outputs, true));
        DaemonConfig.Readiness readiness = null;
        if (socketDirectory != null) {
            SocketDirectory directory = new SocketDirectory(socketDirectory);
            if (socketName != null) {
                in.add(directory.endpoint("--socket-name", socketName, false));
            }
            if (metricsSocket != null) {
                out.add(directory.endpoint("--metrics-socket", metricsSocket, true));
            }
            if (readinessPath != null) {
                readiness = new DaemonConfig.Readiness(
                        directory.endpoint("--readiness-path", readinessPath, false), readinessId);
            }
        } else if (socketName != null || metricsSocket != null || readinessPath != null) {
            throw new IllegalArgumentException(
                    "--socket-name, --metrics-socket and --readiness-path need --socket-dir");
        }
        if (in.isEmpty() && !collect.collects()) {
            throw new IllegalArgumentException(
                    "there is no input: give --in ENDPOINT, or --socket-dir DIR and --socket-name NAME, or --host, or"
                            + " --scrape URL");
        }
        return new DaemonConfig.Endpoints(in, out, readiness, sockets.build());
    }

    private TokenizerOption.@Nullable Loaded tokenizer() {
        if (tokenizer != null) {
            return TokenizerOption.load(tokenizer, transformersVersion);
        }
        if (objectives != null && objectives.limitsTpot()) {
            throw new IllegalArgumentException("--slo tpot= needs --tokenizer: without it no output has a length");
        }
        return null;
    }

    private @Nullable Path spillDirectory() {
        if (spillDirectory != null && !(Files.isDirectory(spillDirectory) && Files.isWritable(spillDirectory))) {
            throw new IllegalArgumentException(
                    "--spill-dir " + spillDirectory + " is no directory that can be written");
        }
        return spillDirectory;
    }

    /** Octal permissions, such as 640. */
    private static Set<PosixFilePermission> mode(String octal) {
        if (!octal.matches("0?[0-7]{3}")) {
            throw new IllegalArgumentException("--output-mode " + octal + " is no octal mode such as 600 or 640");
        }
        int bits = Integer.parseInt(octal, 8);
        if ((bits & 0600) != 0600) {
            throw new IllegalArgumentException("--output-mode " + octal + " would keep you from your own results");
        }
        StringBuilder text = new StringBuilder();
        for (int bit = 8; bit >= 0; bit--) {
            text.append((bits >> bit & 1) == 0 ? '-' : "xwr".charAt(bit % 3));
        }
        return PosixFilePermissions.fromString(text.toString());
    }
}
