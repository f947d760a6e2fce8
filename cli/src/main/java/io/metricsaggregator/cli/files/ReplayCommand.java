package io.metricsaggregator.cli.files;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.Endpoints;
import io.metricsaggregator.cli.options.Published;
import io.metricsaggregator.cli.options.SocketOptions;
import io.metricsaggregator.cli.options.WaitForSubscribers;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.daemon.SnapshotFile;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.options.WhatIfOptions;
import io.metricsaggregator.producer.FramePublisher;
import io.metricsaggregator.producer.RecordedFrames;
import io.metricsaggregator.producer.Replay;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.publish.PartFile;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.run.JournalReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code replay}: publishes recorded frames, or recomputes the run of a journal. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Publish recorded frames, or recompute a run from its journal with the same or different settings.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator replay journal --warmup-cut 30s --slo ttft=500ms",
            "",
            "A file of frames holds, for each frame, its length as a big-endian uint32, then the frame: 40 bytes of"
                    + " topic and the payload."
        })
@GroupedHelp.Usual({
    "--out",
    "--output-dir",
    "--window",
    "--warmup-cut",
    "--track",
    "--exclude-worker",
    "--percentiles",
    "--slo",
    "--tokenizer",
    "--label"
})
public final class ReplayCommand implements Callable<Integer> {
    private static final long QUEUE_MAX_BYTES = 64L << 20;

    @Parameters(
            paramLabel = "FILE",
            description =
                    "File of frames to publish; or the directory of a journal (see run --journal), whose newest run is"
                            + " recomputed and reported.")
    private @Nullable Path file;

    @OptionGroup.In(OptionGroup.ENDPOINTS)
    @Option(
            names = "--out",
            paramLabel = "ENDPOINT",
            description = "Endpoint to publish frames on. Binds unless prefixed with connect:. Repeatable.")
    private List<String> outputs = List.of();

    @OptionGroup.In(OptionGroup.ENDPOINTS)
    @Needs("--out")
    @Option(
            names = "--speed",
            paramLabel = "FACTOR",
            defaultValue = "full",
            description =
                    "Publishing speed. full: as fast as possible; 1: as recorded; 2: twice as fast. Default: ${DEFAULT-VALUE}.")
    private String speed = "full";

    @OptionGroup.In(OptionGroup.RECOMPUTATION)
    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            description =
                    "Directory to write the recomputed final_snapshot.json into, created if missing. Default: print the report"
                            + " only.")
    private @Nullable Path outputDirectory;

    @OptionGroup.In(OptionGroup.RECOMPUTATION)
    @Option(
            names = "--part",
            paramLabel = "FILE",
            description =
                    "File to write the part of the run into: its state with all values, which merge adds up to exact percentiles."
                            + " Takes 2 to 5 bytes per recorded value. An earlier file is replaced. Default: none.")
    private @Nullable Path part;

    @Mixin
    private WhatIfOptions whatIf = new WhatIfOptions();

    @Mixin
    @Needs("--out")
    private WaitForSubscribers subscribers = new WaitForSubscribers();

    @Mixin
    @Needs("--out")
    private SocketOptions sockets = new SocketOptions();

    @Override
    public Integer call() throws IOException {
        if (file == null) {
            throw new IllegalArgumentException("FILE is missing");
        }
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        if (Files.isDirectory(file)) {
            if (!outputs.isEmpty()) {
                throw new IllegalArgumentException("--out needs a file of frames, but " + file
                        + " is a directory. Omit --out to recompute the run of a journal");
            }
            return recompute(file);
        }
        if (outputDirectory != null || part != null || whatIf.areGiven()) {
            String given = outputDirectory != null ? "--output-dir needs" : "--part needs";
            throw new IllegalArgumentException((outputDirectory != null || part != null ? given : "these options need")
                    + " the directory of a journal, but " + file + " is a file");
        }
        if (outputs.isEmpty()) {
            throw new IllegalArgumentException("--out ENDPOINT is missing: frames need an endpoint to be published on");
        }
        double factor = factor();
        try (RecordedFrames frames = new RecordedFrames(file);
                FramePublisher publisher =
                        new FramePublisher(Endpoints.parse("--out", outputs, true), sockets.build(), QUEUE_MAX_BYTES)) {
            if (!subscribers.await(publisher::awaitSubscribers)) {
                return subscribers.reportMissing();
            }
            long start = System.nanoTime();
            Replay.Published published = new Replay().run(frames, publisher, factor);
            boolean handedOver = publisher.flush(Duration.ofSeconds(60));
            double seconds = (System.nanoTime() - start) / 1e9;
            String what = String.format(Locale.ROOT, "frames, %,d bytes, in %.3f s", published.bytes(), seconds);
            return Published.report(
                    what, published.frames(), published.frames(), publisher.framesUnheard(), handedOver);
        }
    }

    private int recompute(Path journal) throws IOException {
        JournalReplay replay = JournalReplay.open(journal);
        TokenizerOption.@Nullable Loaded tokenizer = whatIf.tokenizer(replay.recorded());
        RunResources resources = RunResources.ofReplay(
                tokenizer == null
                        ? null
                        : tokenizer.resource(Runtime.getRuntime().availableProcessors(), null),
                Runtime.getRuntime().maxMemory() / (part == null ? 1 : 2));
        JournalReplay.Result result = whatIf.replay(
                replay,
                whatIf.config(replay.recorded(), Version.text(), tokenizer),
                part == null ? resources : resources.spilling(Path.of(System.getProperty("java.io.tmpdir"))));
        Terminal.print(ReportFormat.TEXT.render(Report.of(result.snapshot()), Terminal.isUtf8(), Terminal.columns()));
        if (part != null) {
            PartFile.write(result.part(), part, DaemonConfig.Output.PRIVATE);
            Terminal.print(part + "\n");
        }
        if (outputDirectory == null) {
            return 0;
        }
        Path written = SnapshotFile.write(result.snapshot(), result.steadyState(), outputDirectory);
        if (written == null) {
            return ExitStatus.NOT_DURABLE.code();
        }
        Terminal.print(written + "\n");
        return 0;
    }

    private double factor() {
        if (speed.equals("full")) {
            return 0;
        }
        try {
            double factor = Double.parseDouble(speed);
            if (factor > 0 && Double.isFinite(factor)) {
                return factor;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("--speed '" + speed + "' is neither full nor a factor above 0, such as 2");
    }
}
