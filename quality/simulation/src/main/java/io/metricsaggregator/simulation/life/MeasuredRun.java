package io.metricsaggregator.simulation.life;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.simulation.disk.SimulatedDisk;
import io.metricsaggregator.simulation.life.plan.Arrival;
import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.life.plan.Traffic;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import java.lang.reflect.Method;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One run of a life: what its producers send, how much of it was taken, and what must be seen of it. */
final class MeasuredRun {
    private final Verdicts verdicts;
    final List<Arrival> traffic;
    final Model model;
    final Subscriber subscriber;
    final Promises promises;
    final FinalFile file;
    final Outages outages;
    int taken;
    /** Frames of which a byte was sent to a process or connection that may have gone; of use where producers speak ZMTP. */
    int onTheWay;

    boolean powerLost;
    /** What the file of a process that ended with status 0 holds; null before. */
    @Nullable
    MetricsSnapshot result;

    MeasuredRun(
            LifePlan plan,
            SplittableRandom chance,
            Machine machine,
            SimulatedDisk disk,
            Verdicts verdicts,
            TextRules texts,
            String outputFolder) {
        this.verdicts = verdicts;
        this.traffic = Traffic.draw(
                chance, machine.now(), plan.samples(), plan.daemon().countsTexts(), plan.heavy());
        this.model = new Model(plan.samples(), plan.daemon().countsTexts());
        this.outages = new Outages(verdicts);
        this.subscriber = new Subscriber(verdicts, model, texts);
        this.promises = new Promises(
                plan.daemon().syncNanos(), plan.isLate(), disk.failures().size());
        this.file = new FinalFile(disk, verdicts, subscriber, outputFolder);
    }

    /**
     * A process has read the journal back.
     *
     * @param failed whether a call of the disk has failed, so that frames may be lost
     */
    void recovered(RunJournal journal, Machine machine, boolean failed) {
        int read = frames(journal);
        machine.note("recovered " + read);
        boolean lossAllowed = powerLost || failed;
        verdicts.require(
                read >= promises.owed(),
                Invariant.SYNC_INTERVAL_HOLDS,
                read + " frames are left, " + promises.owed() + " were older than two sync intervals");
        verdicts.require(
                lossAllowed || read >= subscriber.shownFrames(),
                Invariant.SHOWN_SURVIVES_A_KILL,
                read + " frames were read back, " + subscriber.shownFrames() + " had been shown");
        if (lossAllowed) {
            subscriber.forgiveLoss();
        }
        if (read == 0) {
            outages.forget();
        }
        powerLost = false;
        new JournalFrames(model, verdicts).compare(read == 0 ? null : journal.folder(), !lossAllowed);
        promises.recovered(machine.now(), model.frames());
    }

    /**
     * Every frame that the process knows is in the file, and its percentiles are exact; without the end of the session a signal is why it was written.
     *
     * @param inexact whether values may be missing, or time for the percentiles
     */
    void checkWhole(MetricsSnapshot result, boolean stopped, boolean inexact) {
        SeriesMetric latency = result.series(SeriesName.SAMPLE_LATENCY_NS);
        verdicts.require(
                inexact || latency == null || latency.isExact(),
                Invariant.FIGURES_EQUAL_THE_MODEL,
                "percentiles of the file are not exact");
        verdicts.require(
                stopped || result.state() == SessionState.COMPLETE,
                Invariant.STATES_GO_FORWARD,
                "without a signal the run ended " + result.state());
        verdicts.require(
                hasEnded() || (stopped && result.state() == SessionState.INTERRUPTED),
                Invariant.LOST_END_IS_NOT_MADE_UP,
                "without the end of the session the run is " + result.state());
        long frames = result.counter(CounterName.FRAMES_RECEIVED);
        verdicts.require(
                frames == model.frames(),
                Invariant.LOST_END_IS_NOT_MADE_UP,
                "the file has " + frames + " frames of " + model.frames());
    }

    boolean hasEnded() {
        return model.after(model.frames()).ended();
    }

    /** Frames that wait at their producers and could be read now. */
    int waiting(long nowNanos) {
        int waiting = 0;
        while (taken + waiting < traffic.size() && traffic.get(taken + waiting).atNanos() <= nowNanos) {
            waiting++;
        }
        return waiting;
    }

    /** Frames that a process has read back; asks the daemon's objects, of which only the journal itself is public. */
    private static int frames(RunJournal journal) {
        try {
            Object recovery = journal.recovery();
            Method access = recovery.getClass().getDeclaredMethod("reader");
            access.setAccessible(true);
            return (int) ((JournalReader) access.invoke(recovery)).frames();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the simulation does not know this journal", e);
        }
    }
}
