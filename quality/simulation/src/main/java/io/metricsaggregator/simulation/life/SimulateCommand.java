package io.metricsaggregator.simulation.life;

import com.sun.management.ThreadMXBean;
import io.metricsaggregator.simulation.machine.Coroutine;
import io.metricsaggregator.simulation.machine.Trace;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The command {@code quality/simulation/run}: {@code --lives N} lives from {@code --seed S} on. One life prints its hash; {@code --trace N} its
 * last steps too. {@code --first} ends at the first violation. {@code --plans FILE} lives the plans of a file before.
 */
public final class SimulateCommand {
    private static final int SHOWN_MAX = 10;
    /** Static initialisers draw chance once a JVM: lives before the first make each the same as in any other JVM. */
    private static final long WARM_UP_SEED = 900_001;

    private static final int WARM_UP_LIVES = 3;

    private final Coroutine.Factory coroutines;
    private final PrintStream out;
    private final Map<String, Integer> ends = new TreeMap<>();
    private final Map<Invariant, Integer> violated = new TreeMap<>();
    private long seed = 1;
    private long lives = 100;
    private int trace;
    private boolean first;
    private List<LifePlan> plans = List.of();
    private long steps;
    private long nanos;
    private long snapshots;
    private long kills;
    private long cuts;
    private long hash = 1;
    private int violating;

    private SimulateCommand(Coroutine.Factory coroutines, PrintStream out) {
        this.coroutines = coroutines;
        this.out = out;
    }

    /** Runs the command and ends the JVM: with status 1 after a violation, 2 for wrong usage. */
    public static void run(Coroutine.Factory coroutines, String[] arguments) {
        SimulateCommand command = new SimulateCommand(coroutines, System.out);
        if (!command.parse(arguments)) {
            System.err.println("usage: run [--lives N] [--seed S] [--trace STEPS] [--first] [--plans FILE]");
            System.exit(2);
        }
        command.simulate();
        System.exit(command.violating == 0 ? 0 : 1);
    }

    private boolean parse(String[] arguments) {
        try {
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--seed" -> seed = Long.parseLong(arguments[++i]);
                    case "--lives" -> lives = Long.parseLong(arguments[++i]);
                    case "--trace" -> trace = Integer.parseInt(arguments[++i]);
                    case "--first" -> first = true;
                    case "--plans" -> plans = PlanText.parse(Files.readAllLines(Path.of(arguments[++i])));
                    default -> {
                        return false;
                    }
                }
            }
            return true;
        } catch (IOException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            System.err.println(e.getMessage());
            return false;
        }
    }

    private void simulate() {
        for (int i = 0; i < WARM_UP_LIVES; i++) {
            new Life(LifePlan.draw(WARM_UP_SEED + i), coroutines, new Trace(0)).run();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long cpu = threads.getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        for (LifePlan each : plans) {
            live(each);
        }
        for (long each = seed; each < seed + lives && !(first && violating > 0); each++) {
            live(LifePlan.draw(each));
        }
        double seconds = (System.nanoTime() - wall) / 1e9;
        double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpu) / 1e9;
        out.printf(
                Locale.ROOT,
                "lives %d: %d with violations; %.1f s, %.1f CPU-s, %.1f virtual s; steps %d, snapshots compared %d, kills %d, power cuts %d; hash %016x%n%s%n",
                ends.values().stream().mapToInt(Integer::intValue).sum(),
                violating,
                seconds,
                cpuSeconds,
                nanos / 1e9,
                steps,
                snapshots,
                kills,
                cuts,
                hash,
                ends);
        if (violating > 0) {
            out.println("lives that violate an invariant: " + violated);
        }
    }

    private void live(LifePlan plan) {
        boolean alone = lives + plans.size() == 1;
        Trace kept = new Trace(alone ? trace : 0);
        LifeResult result = new Life(plan, coroutines, kept).run();
        ends.merge(result.end(), 1, Integer::sum);
        steps += result.steps();
        nanos += result.nanos();
        snapshots += result.snapshots();
        kills += result.kills();
        cuts += result.cuts();
        hash = hash * 31 + result.hash();
        if (alone) {
            kept.lines().forEach(out::println);
            out.print(PlanText.format(plan));
            out.printf("end %s steps %d hash %016x%n", result.end(), result.steps(), result.hash());
        }
        if (!result.violations().isEmpty()) {
            violating++;
            result.violations().forEach(one -> violated.merge(one.invariant(), 1, Integer::sum));
            report(plan, result);
        }
    }

    private void report(LifePlan plan, LifeResult result) {
        if (violating > SHOWN_MAX) {
            return;
        }
        out.println("seed " + plan.seed() + " violates:");
        result.violations().forEach(each -> out.println("  " + each));
        Invariant invariant = result.violations().get(0).invariant();
        LifePlan smallest = new Shrinker(coroutines, invariant).shrink(plan);
        out.print("# smallest life that violates " + invariant + "\n" + PlanText.format(smallest));
    }
}
