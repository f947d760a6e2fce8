package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.machine.Fault;
import io.metricsaggregator.simulation.machine.Trace;
import java.util.ArrayList;
import java.util.List;

/** Looks for a smaller life that violates the same invariant: first with one run, then with fewer faults, then with fewer samples. */
final class Shrinker {
    private final Lives lives;
    private final Invariant invariant;

    Shrinker(Lives lives, Invariant invariant) {
        this.lives = lives;
        this.invariant = invariant;
    }

    /** Returns the smallest plan found; {@code plan} itself if nothing can be left out. */
    LifePlan shrink(LifePlan plan) {
        LifePlan one = plan.withRuns(1);
        return fewerSamples(fewerFaults(plan.runs() > 1 && violates(one) ? one : plan));
    }

    private LifePlan fewerFaults(LifePlan plan) {
        LifePlan smallest = plan;
        int count = Math.max(1, plan.faults().size() / 2);
        while (count > 0) {
            int start = 0;
            while (start < smallest.faults().size()) {
                List<Fault> fewer = new ArrayList<>(smallest.faults());
                fewer.subList(start, Math.min(start + count, fewer.size())).clear();
                LifePlan tried = smallest.withFaults(fewer);
                if (violates(tried)) {
                    smallest = tried;
                } else {
                    start += count;
                }
            }
            count /= 2;
        }
        return smallest;
    }

    private LifePlan fewerSamples(LifePlan plan) {
        LifePlan smallest = plan;
        int samples = plan.samples() / 2;
        while (samples > 0) {
            LifePlan tried = smallest.withSamples(samples);
            if (!violates(tried)) {
                break;
            }
            smallest = tried;
            samples /= 2;
        }
        return smallest;
    }

    private boolean violates(LifePlan plan) {
        return lives.live(plan, new Trace(0)).violates(invariant);
    }
}
