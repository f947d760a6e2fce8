package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.disk.SimulatedDisk;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One run of a life: what its producers send, how much of it was taken, and what must be seen of it. */
final class MeasuredRun {
    final List<Arrival> traffic;
    final Model model;
    final Subscriber subscriber;
    final Promises promises;
    final FinalFile file;
    final Outages outages;
    int taken;
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
            String outputFolder) {
        this.traffic = Traffic.draw(chance, machine.now(), plan.samples());
        this.model = new Model(plan.samples());
        this.outages = new Outages(verdicts);
        this.subscriber = new Subscriber(verdicts, model);
        this.promises =
                new Promises(plan.syncNanos(), plan.isLate(), disk.failures().size());
        this.file = new FinalFile(disk, verdicts, subscriber, outputFolder);
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
}
