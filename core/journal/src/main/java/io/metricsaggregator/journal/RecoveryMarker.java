package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in a file which frame of a resumed run is being applied, so that a frame that kills the process does not kill every start. A
 * frame at which {@value #DEATHS_MAX} starts died, or that is known to break the process, is skipped from then on, by replays too.
 * Belongs to the thread that reads.
 */
public final class RecoveryMarker {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveryMarker.class);

    /** Number of deaths at one frame after which it is skipped. A single one can be a coincidence. */
    static final int DEATHS_MAX = 2;

    private static final String FILE = "recovering";
    private static final String SKIPPED = "skipped-frames";

    // Longs of the file: the entry being applied, deaths there, consecutive deaths anywhere.
    private static final int ENTRY = 0;
    private static final int DEATHS = 8;
    private static final int FAILED = 16;
    private static final int BYTES = 24;

    private final @Nullable Path file;
    private final Set<Long> skipped;
    private final @Nullable MappedByteBuffer state;
    private final long lastEntry;
    private final long lastDeaths;
    private final long failedStarts;

    private RecoveryMarker(
            @Nullable Path file, Set<Long> skipped, @Nullable MappedByteBuffer state, boolean leftBehind) {
        this.file = file;
        this.skipped = skipped;
        this.state = state;
        this.lastEntry = state != null && leftBehind ? state.getLong(ENTRY) : -1;
        this.lastDeaths = state != null && leftBehind ? state.getLong(DEATHS) : 0;
        this.failedStarts = state != null && leftBehind ? state.getLong(FAILED) + 1 : 0;
    }

    /** Returns a marker that skips the known frames and writes nothing, for replays. */
    public static RecoveryMarker readOnly(RunFiles run) throws IOException {
        return new RecoveryMarker(null, readSkipped(run), null, false);
    }

    /**
     * Returns the marker of a start that resumes a run. If its file cannot be created, it marks nothing.
     *
     * @throws IOException if the frames to skip cannot be read
     */
    public static RecoveryMarker open(Path run) throws IOException {
        Path file = run.resolve(FILE);
        boolean leftBehind = Files.exists(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) == BYTES;
        RecoveryMarker marker =
                new RecoveryMarker(file, readSkipped(RunFiles.local(run)), map(file, leftBehind), leftBehind);
        marker.begin(run);
        return marker;
    }

    private static @Nullable MappedByteBuffer map(Path file, boolean leftBehind) {
        try (FileChannel channel = FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            if (!leftBehind) {
                // Written and synced before mapping: a mapped page without a block faults when the disk is full.
                channel.write(ByteBuffer.allocate(BYTES).putLong(0, -1), 0);
                channel.force(true);
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
        } catch (IOException e) {
            LOG.warn(
                    "recovery marker not created cause={}: a record that kills the process during recovery will not be skipped",
                    e.toString());
            return null;
        }
    }

    private static Set<Long> readSkipped(RunFiles run) throws IOException {
        Set<Long> skipped = new TreeSet<>();
        String list = run.text(SKIPPED);
        if (list != null) {
            list.lines().forEach(line -> {
                try {
                    skipped.add(Long.parseLong(line.strip()));
                } catch (NumberFormatException e) {
                    LOG.warn("invalid line ignored file={}/{}: not a number", run.name(), SKIPPED);
                }
            });
        }
        return skipped;
    }

    private void begin(Path run) throws IOException {
        if (state == null) {
            return;
        }
        state.putLong(FAILED, failedStarts);
        if (lastEntry >= 0 && lastDeaths >= DEATHS_MAX && skipped.add(lastEntry)) {
            Files.writeString(
                    run.resolve(SKIPPED),
                    lastEntry + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            LOG.error(
                    "journal entry marked to be skipped entry={} run={}: the process died applying it", lastEntry, run);
        }
        state.putLong(ENTRY, -1);
    }

    /** Number of consecutive starts that died before this one. */
    public long failedStarts() {
        return failedStarts;
    }

    /**
     * Whether to apply a frame; if so, records that it is being applied.
     *
     * @param sequence number of its entry
     */
    public boolean applies(long sequence) {
        if (!skipped.isEmpty() && skipped.contains(sequence)) {
            return false;
        }
        if (state != null) {
            state.putLong(ENTRY, sequence);
            state.putLong(DEATHS, sequence == lastEntry ? lastDeaths + 1 : 1);
        }
        return true;
    }

    /** Records that the frame being applied breaks the process: this one death suffices to skip it. Allocates nothing. */
    public void fatal() {
        if (state != null) {
            state.putLong(DEATHS, DEATHS_MAX);
        }
    }

    /** Records an internal error during recovery, which counts as two deaths. */
    public void broken() {
        if (state != null) {
            state.putLong(FAILED, failedStarts + 1);
        }
    }

    /** All frames have been applied: a later death is not attributed to a frame. */
    public void applied() {
        if (state != null) {
            state.putLong(ENTRY, -1);
        }
    }

    /** Recovery is complete: deletes the file. */
    public void settled() {
        if (state != null) {
            try {
                Files.deleteIfExists(Objects.requireNonNull(file));
            } catch (IOException e) {
                LOG.warn("file not deleted file={} cause={}", file, e.toString());
            }
        }
    }
}
