package io.metricsaggregator.cli;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.daemon.ExitStatus;
import io.metricsaggregator.daemon.JournalReplay;
import io.metricsaggregator.producer.FramePublisher;
import io.metricsaggregator.producer.RecordedFrames;
import io.metricsaggregator.producer.Replay;
import io.metricsaggregator.report.ReportFormat;
import io.metricsaggregator.snapshot.MetricsSnapshot;
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

/** Recorded frames, published again. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Publishes recorded frames as they are, or computes a run again from its journal. A file of frames is, for"
                    + " each, a big-endian uint32 length and the frame: 40 bytes of topic, then the payload.",
            ""
        })
final class ReplayCommand implements Callable<Integer> {
    private static final long QUEUE_MAX_BYTES = 64L << 20;

    @Parameters(
            paramLabel = "FILE",
            description =
                    "The file of frames, to be published; or the directory of a journal (see run --journal), of whose"
                            + " newest run the report is computed and printed.")
    private @Nullable Path file;

    @Option(
            names = "--out",
            paramLabel = "ENDPOINT",
            description = "Where frames are published; bound unless it says connect:. May be repeated.")
    private List<String> outputs = List.of();

    @Option(
            names = "--speed",
            paramLabel = "FACTOR",
            defaultValue = "full",
            description = "full: as fast as it goes; 1: as recorded; 2: twice as fast. Default: ${DEFAULT-VALUE}.")
    private String speed = "full";

    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            description = "For a journal: write the final snapshot into DIR as well.")
    private @Nullable Path outputDirectory;

    @Mixin
    private WhatIfOptions whatIf = new WhatIfOptions();

    @Mixin
    private WaitForSubscribers subscribers = new WaitForSubscribers();

    @Mixin
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
                throw new IllegalArgumentException("--out is for a file of frames; " + file + " is a directory");
            }
            return compute(file);
        }
        if (outputDirectory != null || whatIf.areGiven()) {
            throw new IllegalArgumentException((outputDirectory != null ? "--output-dir is" : "these options are")
                    + " for a journal; " + file + " is no directory");
        }
        if (outputs.isEmpty()) {
            throw new IllegalArgumentException("--out is missing: where are the frames to be published?");
        }
        double factor = factor();
        try (RecordedFrames frames = new RecordedFrames(file);
                FramePublisher publisher =
                        new FramePublisher(Endpoints.parse(outputs, true), sockets.build(), QUEUE_MAX_BYTES)) {
            if (!subscribers.await(publisher::awaitSubscribers)) {
                return subscribers.complain();
            }
            long start = System.nanoTime();
            Replay.Published published = new Replay().run(frames, publisher, factor);
            boolean handedOver = publisher.flush(Duration.ofSeconds(60));
            double seconds = (System.nanoTime() - start) / 1e9;
            String what = String.format(Locale.ROOT, "frames, %,d bytes, in %.3f s", published.bytes(), seconds);
            return Published.say(what, published.frames(), published.frames(), publisher.framesUnheard(), handedOver);
        }
    }

    private int compute(Path journal) throws IOException {
        JournalReplay replay = JournalReplay.open(journal);
        TokenizerOption.@Nullable Loaded tokenizer = whatIf.tokenizer(replay.recorded());
        MetricsSnapshot snapshot = replay.compute(
                whatIf.config(replay.recorded(), tokenizer),
                RunResources.ofReplay(
                        tokenizer == null
                                ? null
                                : tokenizer.resource(Runtime.getRuntime().availableProcessors(), null),
                        Runtime.getRuntime().maxMemory()));
        Terminal.print(ReportFormat.TEXT.render(Report.of(snapshot), Terminal.isUtf8()));
        if (outputDirectory == null) {
            return 0;
        }
        Path written = JournalReplay.write(snapshot, outputDirectory);
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
            // Said below.
        }
        throw new IllegalArgumentException("--speed '" + speed + "' is neither full nor a factor above 0");
    }
}
