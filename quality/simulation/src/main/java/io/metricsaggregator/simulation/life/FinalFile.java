package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.disk.SimulatedDisk;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Checks {@code final_snapshot.json} as the process sees it, and as a power cut would leave it. */
final class FinalFile {
    private final SimulatedDisk disk;
    private final Verdicts verdicts;
    private final Subscriber subscriber;
    private final String path;
    private final Path file;
    /** The content that was read last, and the snapshot in it: most checks find the same bytes. */
    private byte @Nullable [] lastRead;

    private @Nullable MetricsSnapshot lastSnapshot;

    FinalFile(SimulatedDisk disk, Verdicts verdicts, Subscriber subscriber, String folder) {
        this.disk = disk;
        this.verdicts = verdicts;
        this.subscriber = subscriber;
        this.path = folder + "/final_snapshot.json";
        this.file = disk.getPath(path);
    }

    private @Nullable MetricsSnapshot read(byte @Nullable [] bytes) {
        if (!Arrays.equals(bytes, lastRead)) {
            lastSnapshot = Snapshots.ofJson(bytes);
            lastRead = bytes;
        }
        return lastSnapshot;
    }

    /** Checks at a step of the machine, before it happens. */
    void step(String label) {
        verdicts.require(
                !disk.isTearable(file),
                Invariant.FILE_IS_OLD_OR_NEW,
                "the file has its name before its bytes are durable");
        if (label.equals("create done")) {
            checkDone();
        }
    }

    /** A snapshot was published: a file that is there must not be that of another run. */
    void published(MetricsSnapshot shown) {
        MetricsSnapshot there = read(disk.content(path));
        verdicts.require(
                there == null || Snapshots.runId(there).equals(Snapshots.runId(shown)),
                Invariant.FILE_IS_OLD_OR_NEW,
                "the file of another run is still there");
    }

    /** A run is marked as done, or about to be. */
    void checkDone() {
        verdicts.require(
                read(disk.durableContent(path)) != null,
                Invariant.DONE_COMES_AFTER_THE_FILE,
                "the run is marked as done, and a power cut leaves no final file");
    }

    /** Checks that the file is absent, or whole and terminal. */
    void check(String when) {
        checkWhole(disk.content(path), "the file " + when);
        checkWhole(disk.durableContent(path), "what a power cut leaves of the file " + when);
    }

    private void checkWhole(byte @Nullable [] bytes, String what) {
        if (bytes == null) {
            return;
        }
        MetricsSnapshot snapshot = read(bytes);
        verdicts.require(
                snapshot != null && snapshot.state().isTerminal(),
                Invariant.FILE_IS_OLD_OR_NEW,
                what + (snapshot == null ? " is torn, " + bytes.length + " bytes" : " is " + snapshot.state()));
    }

    /** Checks the file of a process that ended with status 0; returns it, null if a power cut would lose it. */
    @Nullable
    MetricsSnapshot checkDurable() {
        MetricsSnapshot durable = read(disk.hasLied() ? disk.content(path) : disk.durableContent(path));
        if (durable == null) {
            verdicts.violated(Invariant.STATUS_0_IS_DURABLE, "status 0, and a power cut leaves no final file");
            return null;
        }
        subscriber.check(durable, "final file");
        MetricsSnapshot terminal = subscriber.terminal();
        verdicts.require(
                terminal != null
                        && terminal.counter() == durable.counter()
                        && terminal.state() == durable.state()
                        && terminal.counters().equals(durable.counters()),
                Invariant.ONE_TERMINAL_SNAPSHOT,
                "the final file has other counters than the terminal snapshot");
        return durable;
    }
}
