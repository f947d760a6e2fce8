package io.metricsaggregator.simulation.life;

import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.run.RunAssembler;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.simulation.life.plan.DaemonSettings;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** What the daemon's classes call in place of their own methods once they are woven. Runs on a simulated thread. */
public final class DaemonCalls {
    private static final int SMALL_BLOCK = 16;
    private static final int SMALL_SLAB_BYTES = 256;

    private static @Nullable Surroundings surroundings;
    private static @Nullable Surroundings others;

    /** What a process meets. */
    interface Surroundings {

        /** The network of a new process. */
        Transport openTransport(TransportOptions options) throws IOException;

        /** The process discards frames from now on. */
        void closed();

        /** The process has read its journal back. */
        void recovered(RunJournal journal);

        /** How the daemon was started; null where that decides nothing. */
        default @Nullable DaemonSettings settings() {
            return null;
        }

        /** The bounds of what the process holds; null if they are not checked. */
        default @Nullable Bounds bounds() {
            return null;
        }
    }

    private static final Method IS_PACKED = isPacked();

    private DaemonCalls() {}

    private static Method isPacked() {
        try {
            Method method =
                    Class.forName("io.metricsaggregator.journal.SegmentSpeed").getDeclaredMethod("isPacked");
            method.setAccessible(true);
            return method;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the simulation does not know this journal", e);
        }
    }

    static void begin(Surroundings met) {
        surroundings = met;
    }

    /** Sets what the second process on the machine meets. */
    static void beginOther(Surroundings met) {
        others = met;
    }

    private static Surroundings met() {
        Surroundings met = Machine.active().isOther() ? others : surroundings;
        if (met == null) {
            throw new IllegalStateException("no life is simulated");
        }
        return met;
    }

    /** In place of {@code Transports.open}. */
    public static Transport openTransport(TransportOptions options) throws IOException {
        return met().openTransport(options);
    }

    /** In place of {@code Signals.handle}: SIGTERM alone is simulated. */
    public static void handleSignals(Runnable interrupt, Object interactive) {
        Machine.active().onTerminate(interrupt);
    }

    /** Around {@code SegmentSpeed.isPacked}: the plan decides, because the frames of a life are too few for the daemon to find that packing saves little. */
    public static boolean isPacked(Object speed) {
        try {
            DaemonSettings settings = met().settings();
            return (settings == null || settings.packed()) && (boolean) IS_PACKED.invoke(speed);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the simulation does not know this journal", e);
        }
    }

    /** Whether memory for values comes in so small pieces that the values of a life fill many. */
    private static boolean hasSmallSlabs() {
        DaemonSettings settings = met().settings();
        return settings != null && settings.spills();
    }

    /** In place of {@code RawValues.BLOCK}. */
    public static int valuesInBlock() {
        return hasSmallSlabs() ? SMALL_BLOCK : 4096;
    }

    /** In place of {@code RawValues.FIRST_STAGING}. */
    public static int valuesStaged() {
        return hasSmallSlabs() ? SMALL_BLOCK : 128;
    }

    /** In place of {@code SlabStore.SLAB_BYTES}. */
    public static int slabBytes() {
        return hasSmallSlabs() ? SMALL_SLAB_BYTES : 256 << 10;
    }

    /** In place of {@code ExactPass.SHARED_MIN}. */
    public static long valuesShared() {
        return hasSmallSlabs() ? SMALL_BLOCK : 1L << 20;
    }

    /** Around {@link RunAssembler#live}. */
    public static LiveRun live(RunAssembler runs, long intervalNanos, RunJournal journal) throws IOException {
        LiveRun run = runs.live(intervalNanos, journal);
        Bounds bounds = met().bounds();
        if (bounds != null) {
            bounds.texts(run.texts());
        }
        met().recovered(journal);
        return run;
    }

    /** Behind {@code BlockPool.take}; null if all blocks are in use. */
    public static void blockTaken(@Nullable Object block) {
        Bounds bounds = met().bounds();
        if (bounds != null && block != null) {
            bounds.taken(block);
        }
    }

    /** Before {@code BlockPool.give}. */
    public static void blockGiven(Object block) {
        Bounds bounds = met().bounds();
        if (bounds != null) {
            bounds.given(block);
        }
    }

    /** Around {@link Ingest#close}. */
    public static void closeIngest(Ingest ingest) {
        ingest.close();
        met().closed();
    }
}
