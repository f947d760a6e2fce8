package io.metricsaggregator.simulation.life;

import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.run.RunAssembler;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
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
    }

    private DaemonCalls() {}

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
