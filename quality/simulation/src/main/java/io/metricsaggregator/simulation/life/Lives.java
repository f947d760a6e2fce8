package io.metricsaggregator.simulation.life;

import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.machine.Coroutine;
import io.metricsaggregator.simulation.machine.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lives plans one after another. The nodes of a fleet are lives of the next seeds: their results are kept until those are asked for. */
final class Lives {
    private final Coroutine.Factory coroutines;
    private final Map<LifePlan, LifeResult> ahead = new HashMap<>();

    Lives(Coroutine.Factory coroutines) {
        this.coroutines = coroutines;
    }

    /** Lives a plan, and its fleet after it; a plan that was lived ahead is not lived again. */
    LifeResult live(LifePlan plan) {
        LifeResult known = ahead.remove(plan);
        ahead.keySet().removeIf(each -> each.seed() <= plan.seed());
        return known == null ? live(plan, new Trace(0)) : known;
    }

    /** Lives a plan, and its fleet after it, adding to a trace. */
    LifeResult live(LifePlan plan, Trace trace) {
        Life life = new Life(plan, coroutines, trace);
        LifeResult result = life.run();
        return plan.fleet() == 0 ? result : result.with(fleet(plan, life, trace).run(), trace.hash());
    }

    /** The fleet of a life that has ended, with those of the next seeds beside it. */
    private FleetLife fleet(LifePlan plan, Life first, Trace trace) {
        List<List<FleetLife.Published>> nodes = new ArrayList<>(List.of(first.published));
        for (int i = 1; i < plan.fleet(); i++) {
            LifePlan next = plan.node(i);
            Life other = new Life(next, coroutines, new Trace(0));
            ahead.put(next, other.run());
            nodes.add(other.published);
        }
        return new FleetLife(plan, nodes, coroutines, trace);
    }
}
