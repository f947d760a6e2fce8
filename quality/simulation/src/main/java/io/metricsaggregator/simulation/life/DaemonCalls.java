package io.metricsaggregator.simulation.life;

import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.run.RunAssembler;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** What the daemon's classes call in place of their own methods once they are woven. Runs on a simulated thread. */
public final class DaemonCalls {
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

        /** Whether packing the journal saves enough. */
        default boolean packs() {
            return true;
        }
    }

    private static final Method IS_PACKED = isPacked();

    private DaemonCalls() {}

    private static Method isPacked() {
        try {
            Method method = Class.forName("io.metricsaggregator.journal.SegmentSpeed").getDeclaredMethod("isPacked");
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
            return met().packs() && (boolean) IS_PACKED.invoke(speed);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the simulation does not know this journal", e);
        }
    }

    /** Around {@link RunAssembler#live}. */
    public static LiveRun live(RunAssembler runs, long intervalNanos, RunJournal journal) throws IOException {
        LiveRun run = runs.live(intervalNanos, journal);
        met().recovered(journal);
        return run;
    }

    /** Around {@link Ingest#close}. */
    public static void closeIngest(Ingest ingest) {
        ingest.close();
        met().closed();
    }
}
