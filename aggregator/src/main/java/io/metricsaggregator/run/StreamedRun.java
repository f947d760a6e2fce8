package io.metricsaggregator.run;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.fold.SamplePartition;
import io.metricsaggregator.fold.StampedEvents;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.ingest.JournalIngest;
import io.metricsaggregator.journal.JournalClock;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.registry.RegistryCopy;
import io.metricsaggregator.snapshot.ClockOffset;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.TransportStats;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run whose frames a caller hands on one by one, from a log of messages for example, folded as a daemon folds received frames. It has no sockets, no
 * journal and no thread of its own; its values lie outside the heap until it is closed. Used by one thread.
 */
public final class StreamedRun implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(StreamedRun.class);

    private final String id;
    private final JournalClock clock;
    private final JournalIngest ingest;
    private final ReplayedRun run;
    private final RecordLedger ledger;
    private RegistryCopy copy;
    private long receivedNanos = Long.MIN_VALUE;
    private long frames;
    private long framesSkipped;
    private long snapshots;

    private StreamedRun(String id, JournalClock clock, RunParts parts, RunIdentity identity) {
        this.id = id;
        this.clock = clock;
        this.ingest = new JournalIngest(parts.frames());
        this.run = new ReplayedRun(parts, identity, clock);
        this.ledger = parts.frames().ledger();
        this.copy = parts.registry().newCopy();
    }

    /**
     * Starts a run without frames.
     *
     * @param id 16 hexadecimal digits
     * @param startedWallNanos start of the run, in nanoseconds since 1970 UTC
     * @param config decides the numbers
     * @param resources memory, and the tokenizer that {@code config} names
     */
    public static StreamedRun start(String id, long startedWallNanos, RunConfig config, RunResources resources) {
        return start(id, startedWallNanos, config, resources, List.of());
    }

    /**
     * Starts a run as {@link #start(String, long, RunConfig, RunResources)}.
     *
     * @param changes how its figures differ from those that were recorded, in words
     */
    public static StreamedRun start(
            String id, long startedWallNanos, RunConfig config, RunResources resources, List<String> changes) {
        RunParts parts =
                new RunAssembler(config, resources, System::nanoTime).parts(new EventDecoder(), FrameApplier.ALL);
        RunIdentity identity = new RunIdentity(
                id,
                config.version(),
                startedWallNanos,
                Map.of(),
                RunConfigCodec.encode(config),
                changes,
                null,
                null,
                config.labels(),
                config.node(),
                null);
        return new StreamedRun(id, new JournalClock(), parts, identity);
    }

    /**
     * The configuration with which a journal was recorded.
     *
     * @param description that of the journal
     * @param version version of this program
     * @throws IllegalArgumentException if the journal is imported: its durations are not those of its frames
     */
    public static RunConfig recorded(Map<String, String> description, String version) {
        if (ImportedRun.of(description) != null) {
            throw new IllegalArgumentException("an imported run is folded as a whole, from its journal");
        }
        return RunConfigCodec.decode(JournalRecovery.settings(description)).toBuilder()
                .version(version)
                .build();
    }

    /**
     * Starts a run whose frames and outages the caller reads from a journal: its configuration and identity are those that were recorded.
     *
     * @param id id of the run if the journal has none
     * @param description that of the journal
     * @param version version of this program
     * @param resources memory; it has no tokenizer
     * @throws IllegalArgumentException as of {@link #recorded}
     */
    public static StreamedRun ofJournal(
            String id, Map<String, String> description, String version, RunResources resources) {
        RunConfig config = recorded(description, version);
        RunOrigin origin = RunOrigin.of(description);
        Long offset = origin.wallOffsetNanos();
        Long uncertainty = origin.wallOffsetUncertaintyNanos();
        RunIdentity identity = new RunIdentity(
                description.getOrDefault(RunOrigin.RUN_ID, id),
                version,
                startedWallNanos(description),
                beginning(JournalRecovery.ENVIRONMENT, description),
                RunConfigCodec.encode(config),
                List.of(),
                null,
                null,
                beginning(JournalRecovery.LABEL, description),
                origin.node(),
                offset == null || uncertainty == null ? null : new ClockOffset(offset, uncertainty));
        RunParts parts =
                new RunAssembler(config, resources, System::nanoTime).parts(new EventDecoder(), FrameApplier.ALL);
        return new StreamedRun(identity.id(), new JournalClock(), parts, identity);
    }

    private static long startedWallNanos(Map<String, String> description) {
        try {
            return Long.parseLong(description.getOrDefault(RunOrigin.STARTED_WALL_NANOS, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static Map<String, String> beginning(String prefix, Map<String, String> description) {
        Map<String, String> entries = new TreeMap<>();
        description.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                entries.put(name.substring(prefix.length()), value);
            }
        });
        return entries;
    }

    /**
     * Sends the events of samples to {@code sink} instead of folding them: the run is then the head of its samples' partitions. To be called before the first
     * frame.
     */
    public void sendSamplesTo(StampedEvents sink) {
        run.fold.sendSamplesTo(sink);
    }

    /**
     * Makes a fold of some samples of runs with a configuration, for events that {@link #sendSamplesTo} gave.
     *
     * @param config that of the run
     */
    public static SamplePartition partition(RunConfig config) {
        return new RunAssembler(config, RunResources.ofReplay(null, 0), System::nanoTime).partition();
    }

    /**
     * Applies all records of a frame. A frame that the fold cannot apply is logged and counted; its other records keep their effect.
     *
     * @param frame topic and payload
     * @param atNanos monotonic time of its receipt; the time of records that carry none. Frames with the same time were received together
     * @param atWallNanos wall-clock time of its receipt, in nanoseconds since 1970 UTC
     */
    public void frame(byte[] frame, long atNanos, long atWallNanos) {
        received(atNanos, atWallNanos);
        try {
            ingest.frame(ByteBuffer.wrap(frame), 0, frame.length);
        } catch (RuntimeException | StackOverflowError e) {
            framesSkipped++;
            LOG.error("frame skipped run={} frame={} bytes={}: it cannot be applied", id, frames, frame.length, e);
        }
        frames++;
    }

    /**
     * Notes that the daemon was down between the previous frame and the next one.
     *
     * @param fromWallNanos when it last received something, in nanoseconds since 1970 UTC
     * @param toWallNanos when it was ready to receive again
     */
    public void outage(long fromWallNanos, long toWallNanos) {
        ingest.outage(fromWallNanos, toWallNanos);
    }

    /** Takes both clocks at the end of the input, as {@link #frame} does those of a frame. */
    public void endAt(long atNanos, long atWallNanos) {
        clock.pair(atNanos, atWallNanos);
    }

    private void received(long atNanos, long atWallNanos) {
        if (atNanos != receivedNanos) {
            receivedNanos = atNanos;
            clock.burst(atNanos);
            clock.pair(atNanos, atWallNanos);
            ingest.burst(atNanos);
            run.texts().makeRoom();
        }
    }

    /**
     * Applies one record, of whatever frame; its frame is not counted. A record that the fold cannot apply is logged and counted.
     *
     * @param record an encoded record, without a topic
     * @param shiftNanos how far the clock of this run is ahead of that of the record's own times
     * @param atNanos time of its receipt on the clock of this run; the time of a record that carries none
     * @param atWallNanos wall-clock time of its receipt, in nanoseconds since 1970 UTC
     */
    public void record(byte[] record, long shiftNanos, long atNanos, long atWallNanos) {
        received(atNanos, atWallNanos);
        try {
            ingest.record(ByteBuffer.wrap(record), 0, record.length, shiftNanos);
        } catch (RuntimeException | StackOverflowError e) {
            framesSkipped++;
            LOG.error("record skipped run={} bytes={}: it cannot be applied", id, record.length, e);
        }
    }

    /**
     * Counts one record that came too late to be applied in its order: it is in {@code events_late}, in the counts of its worker, and in no other figure.
     *
     * @param record an encoded record, without a topic
     */
    public void late(byte[] record) {
        try {
            ingest.late(ByteBuffer.wrap(record), 0, record.length);
        } catch (RuntimeException | StackOverflowError e) {
            framesSkipped++;
            LOG.error("late record skipped run={} bytes={}: it cannot be counted", id, record.length, e);
        }
    }

    /** Counts the frames whose records are applied one by one. */
    public void count(FrameCounts counts) {
        ledger.framesReceived.add(counts.frames());
        ledger.framesEmpty.add(counts.empty());
        ledger.frameBytesReceived.add(counts.bytes());
        ledger.batchesReceived.add(counts.batches());
        ledger.batchesMalformed.add(counts.batchesMalformed());
        ledger.batchElementsEmpty.add(counts.elementsEmpty());
    }

    /** Frames, and records applied one by one, that could not be applied. */
    public long framesSkipped() {
        return framesSkipped;
    }

    /** Whether {@code session.ended} was received; all later records are late. */
    public boolean isEnded() {
        return run.isEnded();
    }

    /** Whether a snapshot would show anything: the session has started, or telemetry was received. */
    public boolean hasStarted() {
        return run.hasStarted();
    }

    /** Takes a snapshot with percentiles from the histograms; the run must have started. Not to be called after {@link #complete}. */
    public MetricsSnapshot live() {
        run.enterLive();
        TransportStats noSockets = new TransportStats();
        run.refresh(clock.endNanos(), noSockets);
        if (copy.size() != run.registry().size()) {
            // Rare series are registered with their first value.
            copy = run.registry().newCopy();
        }
        run.registry().copyInto(copy);
        return new MetricsSnapshot(
                ++snapshots,
                clock.endNanos(),
                run.state(),
                run.texts().pending(),
                copy.render(),
                run.extensions(
                        clock.endNanos(),
                        run.identity().info(clock.endWallNanos(run.identity().startedWallNanos()), noSockets.exposures),
                        List.of(),
                        null));
    }

    /** Takes the terminal snapshot with exact percentiles as far as values were kept: INTERRUPTED if the session did not end. To be called once. */
    public MetricsSnapshot complete() {
        return run.complete();
    }

    /**
     * The run as a value that is written and added up; nothing may be applied to the run afterwards.
     *
     * @param last what {@link #complete} returned
     */
    public RunPart part(MetricsSnapshot last) {
        return run.part(last);
    }

    /** Ends the tokenizer threads, and frees the memory and the file of the values; nothing of the run must be used afterwards, nor a part of it. */
    @Override
    public void close() throws IOException {
        run.texts().stop();
        run.values().close();
    }
}
