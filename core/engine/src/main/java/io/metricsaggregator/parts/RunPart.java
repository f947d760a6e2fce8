package io.metricsaggregator.parts;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.RegistryCodec;
import io.metricsaggregator.registry.Workers;
import io.metricsaggregator.registry.raw.SlabStore;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * The state of a run that has ended, as one value: it is written as versioned bytes and read again, parts of several runs are merged exactly, and
 * {@link #snapshot} renders what a replay of the run writes. Its percentiles are exact as long as it has all values, which are read and written as a stream
 * and kept in a {@link SlabStore}. Nothing in it changes once it is made; used by one thread at a time.
 */
public final class RunPart {
    /** The version of the bytes that this program writes, and the only one that it reads. */
    public static final int VERSION = 3;

    private static final byte[] MAGIC = {'M', 'A', 'R', 'U', 'N', 'P', 'R', 'T'};
    private static final int FRAME_MAX_BYTES = 512 << 20;
    private static final int OMITTED_MAX = 64;

    private final PartHeader header;
    private final Registry registry;
    private final FoldPart samples;
    /** The other parts of the run's snapshot, without metrics. */
    private final MetricsSnapshot frame;

    private final SnapshotExtensions extensions;
    /** Counters that the snapshot does not have. */
    private final Set<String> omitted;

    private RunPart(
            PartHeader header,
            Registry registry,
            FoldPart samples,
            MetricsSnapshot frame,
            SnapshotExtensions extensions,
            Set<String> omitted) {
        this.header = header;
        this.registry = registry;
        this.samples = samples;
        this.frame = frame;
        this.extensions = extensions;
        this.omitted = omitted;
    }

    /**
     * The part of a run that has ended.
     *
     * @param registry counters and series; nothing may be recorded in it afterwards
     * @param snapshot the last snapshot of the run
     * @param estimates whether the snapshot holds MLPerf's early-stopping estimates
     * @throws IllegalArgumentException if the snapshot is of another daemon
     */
    public static RunPart ofRun(Registry registry, FoldPart samples, MetricsSnapshot snapshot, boolean estimates) {
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions.isNone()) {
            throw new IllegalArgumentException("a part needs the snapshot of this project's daemon");
        }
        Set<String> omitted = new TreeSet<>(registry.counterNames());
        snapshot.counters().forEach(each -> omitted.remove(each.name()));
        return new RunPart(
                PartHeader.of(extensions.run(), snapshot.state(), estimates),
                registry,
                samples,
                withoutMetrics(snapshot),
                extensions,
                omitted);
    }

    private static MetricsSnapshot withoutMetrics(MetricsSnapshot snapshot) {
        return new MetricsSnapshot(
                snapshot.counter(),
                snapshot.timestampNanos(),
                snapshot.state(),
                snapshot.pendingTasks(),
                List.of(),
                snapshot.extensions());
    }

    /** What the part is of. */
    public PartHeader header() {
        return header;
    }

    Registry registry() {
        return registry;
    }

    FoldPart samples() {
        return samples;
    }

    /**
     * Renders the snapshot of the run, with exact percentiles where the part has all values.
     *
     * @param workers scan the values together
     * @param outOfTime asked after each block of values; true makes the remaining percentiles come from the histograms
     */
    public MetricsSnapshot snapshot(Workers workers, BooleanSupplier outOfTime) {
        List<Metric> metrics = registry.renderExact(registry.newCopy(), header.estimates(), workers, outOfTime).stream()
                .filter(each -> !(each instanceof CounterMetric && omitted.contains(each.name())))
                .toList();
        return new MetricsSnapshot(
                frame.counter(), frame.timestampNanos(), frame.state(), frame.pendingTasks(), metrics, shown());
    }

    private SnapshotExtensions shown() {
        SnapshotExtensions of = extensions;
        return of.toBuilder()
                .inFlight(samples.inFlight())
                .slices(samples.slices().slices())
                .slowest(samples.slow().samples())
                .optional(of.optional().withInteractivity(samples.interactivity()))
                .build();
    }

    /** Writes the part with all values that it has; leaves the stream open. */
    public void write(OutputStream to) throws IOException {
        write(to, true);
    }

    /**
     * Writes the part; leaves the stream open.
     *
     * @param withValues whether to write the values of its series; without, percentiles of the copy come from histograms, and are marked as such
     * @throws IOException if the stream fails, or values cannot be read back from the spill file
     */
    public void write(OutputStream to, boolean withValues) throws IOException {
        to.write(MAGIC);
        to.write(VERSION >>> 8);
        to.write(VERSION);
        PartOutputStream chunks = new PartOutputStream(to);
        DataOutputStream content = new DataOutputStream(chunks);
        header.write(content);
        RegistryCodec.write(registry, withValues, content);
        samples.write(content);
        content.writeShort(omitted.size());
        for (String each : omitted) {
            content.writeUTF(each);
        }
        // Parts of some samples of a run, without its session, had no snapshot.
        content.writeBoolean(true);
        PartFields.writeBytes(new MsgpackSnapshotCodec().encode(frame), content);
        content.flush();
        chunks.close();
    }

    /**
     * Reads a part, and no byte behind it.
     *
     * @param values keeps the values of its series; a series for which it has no room loses its exact percentiles
     * @throws PartFormatException if the bytes are no part, were altered or cut short, or are of another version; the message says which
     * @throws IOException if the stream fails
     */
    public static RunPart read(InputStream from, SlabStore values) throws IOException {
        PartInputStream chunks = new PartInputStream(from);
        DataInputStream content = open(from, chunks);
        try {
            PartHeader header = PartHeader.read(content);
            Registry registry = RegistryCodec.read(content, values);
            FoldPart samples = FoldPart.read(content);
            Set<String> omitted = new TreeSet<>();
            int size = PartFields.bounded(content.readUnsignedShort(), OMITTED_MAX, "omitted counters");
            for (int i = 0; i < size; i++) {
                omitted.add(content.readUTF());
            }
            MetricsSnapshot frame = content.readBoolean() ? readFrame(content) : null;
            if (frame == null) {
                throw new PartFormatException(
                        "the part has samples of run " + header.runId() + " alone, not its session");
            }
            chunks.requireEnd();
            return new RunPart(header, registry, samples, frame, frame.extensions(), omitted);
        } catch (PartFormatException e) {
            throw e;
        } catch (EOFException e) {
            throw new PartFormatException("the content of the part ends too early", e);
        } catch (IOException e) {
            throw new PartFormatException("the content of the part is wrong: " + e.getMessage(), e);
        }
    }

    private static DataInputStream open(InputStream from, PartInputStream chunks) throws IOException {
        byte[] start = from.readNBytes(MAGIC.length + 2);
        if (!isPart(start)) {
            throw new PartFormatException("the bytes are no part of a run: they begin otherwise");
        }
        int version = ((start[MAGIC.length] & 0xff) << 8) | (start[MAGIC.length + 1] & 0xff);
        if (version != VERSION) {
            throw new PartFormatException("the part has version " + version + ", and this program reads version "
                    + VERSION + ": use a program of the version that wrote it");
        }
        return new DataInputStream(chunks);
    }

    /** Whether bytes begin as a part does, of any version. */
    public static boolean isPart(byte[] start) {
        if (start.length < MAGIC.length + 2) {
            return false;
        }
        for (int i = 0; i < MAGIC.length; i++) {
            if (start[i] != MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    private static MetricsSnapshot readFrame(DataInputStream content) throws IOException {
        byte[] bytes = PartFields.readBytes(content, FRAME_MAX_BYTES, "the snapshot");
        try {
            MetricsSnapshot frame = new MsgpackSnapshotCodec().decode(ByteBuffer.wrap(bytes));
            if (frame.extensions().isNone()) {
                throw new PartFormatException("the snapshot in the part lacks the run");
            }
            return frame;
        } catch (MalformedMessageException e) {
            throw new PartFormatException("the snapshot in the part is malformed: " + e.getMessage(), e);
        }
    }
}
