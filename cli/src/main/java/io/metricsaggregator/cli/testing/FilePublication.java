package io.metricsaggregator.cli.testing;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.cli.options.Published;
import io.metricsaggregator.cli.options.WaitForSubscribers;
import io.metricsaggregator.daemon.UnixSignals;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.follow.FollowedInput;
import io.metricsaggregator.imports.follow.GrowingFile;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.journal.LiveImport;
import io.metricsaggregator.producer.FramePublisher;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Publishes the requests of a file of another tool, in batches, as they are read. One thread. */
final class FilePublication {
    private static final int BATCH = 1000;
    private static final int BATCH_BYTES = 1 << 20;
    private static final int TEXT_MAX = 200;

    private final FileOptions file;
    private final FramePublisher publisher;
    private final EventEncoder encoder = new EventEncoder();
    private final List<byte[]> batch = new ArrayList<>(BATCH);
    private int batchBytes;

    FilePublication(FileOptions file, FramePublisher publisher) {
        this.file = file;
        this.publisher = publisher;
    }

    /** Reads and publishes until the file's end; returns the exit status. */
    int run(WaitForSubscribers subscribers) throws IOException {
        ImportFormat named = file.format();
        // Opened first: a wrong name is reported before the wait for subscribers.
        Live live = new Live();
        try (FollowedInput input = file.open(live, note -> System.err.println("metrics-aggregator: " + note))) {
            if (!subscribers.await(publisher::awaitSubscribers)) {
                return subscribers.reportMissing();
            }
            UnixSignals.handle("INT", input::stop);
            UnixSignals.handle("TERM", input::stop);
            ImportSource source = ImportSource.growing(file.name(), input);
            if (source.isCompressed() || source.foreign() != null) {
                throw new IllegalArgumentException(file.name() + " "
                        + (source.isCompressed()
                                ? "is compressed: a tool appends to it in blocks; use import once it is whole"
                                : source.foreign()));
            }
            ImportFormat format = named == null ? recognised(source) : named;
            live.start(new LiveImport(format.name(), file.importOptions(), this::publish));
            return publish(format, source, live.importing(), input);
        }
    }

    private ImportFormat recognised(ImportSource source) {
        ImportFormat format = Formats.recognising(source.head());
        if (format == null || !FileOptions.FOLLOWED.contains(format.name())) {
            throw new IllegalArgumentException((format == null
                            ? "no format recognises the first line of " + file.name()
                            : file.name() + " has the format " + format.name()
                                    + ", which is written at the end of a run: use import")
                    + "; the formats are " + String.join(", ", FileOptions.FOLLOWED));
        }
        return format;
    }

    private int publish(ImportFormat format, ImportSource source, LiveImport importing, FollowedInput input)
            throws IOException {
        FormatReader reader = format.reader(file.importOptions());
        reader.read(source, importing);
        reader.finish(importing);
        importing.end();
        flush();
        boolean handedOver = publisher.flush(Duration.ofSeconds(30));
        int status = Published.report(
                "requests of " + file.name(),
                importing.requests(),
                publisher.framesSent(),
                publisher.framesUnheard(),
                handedOver);
        Map<String, Long> skipped = importing.skipped();
        if (!skipped.isEmpty()) {
            System.err.println("skipped "
                    + skipped.entrySet().stream()
                            .map(each -> String.format(
                                    Locale.ROOT, "%,d %s", each.getValue(), Printable.escape(each.getKey(), TEXT_MAX)))
                            .collect(Collectors.joining(", ")));
        }
        if (input instanceof GrowingFile growing && growing.restarts() > 0) {
            System.err.println("the file was truncated or replaced " + growing.restarts()
                    + " times: requests that were written again are published again");
        }
        return status;
    }

    private void publish(byte[] record, boolean session) throws IOException {
        batch.add(record);
        batchBytes += record.length;
        if (session || batch.size() == BATCH || batchBytes >= BATCH_BYTES) {
            flush();
        }
    }

    private void flush() throws IOException {
        if (!batch.isEmpty()) {
            publisher.publish(Topic.frame(Topic.BATCH, encoder.encodeBatch(batch)));
            batch.clear();
            batchBytes = 0;
        }
    }

    /** What happens while nothing can be read: what is held is published. The format is known once the first line is there. */
    private final class Live implements FileOptions.Idle {
        private @Nullable LiveImport importing;

        void start(LiveImport into) {
            importing = into;
        }

        LiveImport importing() {
            return Objects.requireNonNull(importing, "started");
        }

        @Override
        public void idle() throws IOException {
            if (importing != null) {
                importing.idle();
                flush();
            }
        }
    }
}
