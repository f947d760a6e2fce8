package io.metricsaggregator.simulation.life;

import com.sun.management.ThreadMXBean;
import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.life.plan.PlanText;
import io.metricsaggregator.simulation.machine.Coroutine;
import io.metricsaggregator.simulation.machine.Fault;
import io.metricsaggregator.simulation.machine.Trace;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code quality/simulation/run}: {@code --lives N} lives from {@code --seed S} on. One life prints its hash; {@code --trace N} its
 * last steps too. {@code --first} ends at the first violation. {@code --plans FILE} lives the plans of a file before. {@code --hashes FILE}
 * writes the hash of every 100th life; {@code --repeat FILE} lives those lives before, and fails if a hash differs.
 */
public final class SimulateCommand {
    private static final int SHOWN_MAX = 10;
    /** Static initialisers draw chance once a JVM: lives before the first make each the same as in any other JVM. */
    private static final long WARM_UP_SEED = 900_001;

    private static final int WARM_UP_LIVES = 3;
    private static final int HASHED_ONE_IN = 100;

    private final Lives all;
    private final PrintStream out;
    private final Map<String, Integer> ends = new TreeMap<>();
    private final Map<Invariant, Integer> violated = new TreeMap<>();
    private long seed = 1;
    private long lives = 100;
    private int trace;
    private boolean first;
    private List<LifePlan> plans = List.of();
    private @Nullable Path hashes;
    private List<String> repeated = List.of();
    private final StringBuilder hashed = new StringBuilder();
    private final Map<Fault.Kind, Integer> faults = new TreeMap<>();
    private final Set<String> ran = new TreeSet<>();
    private long steps;
    private long nanos;
    private long snapshots;
    private long kills;
    private long cuts;
    private long hash = 1;
    private int violating;

    private SimulateCommand(Coroutine.Factory coroutines, PrintStream out) {
        this.all = new Lives(coroutines);
        this.out = out;
    }

    /** Runs the command and ends the JVM: with status 1 after a violation, 2 for wrong usage. */
    public static void run(Coroutine.Factory coroutines, String[] arguments) {
        SimulateCommand command = new SimulateCommand(coroutines, System.out);
        if (!command.parse(arguments)) {
            System.err.println(
                    "usage: run [--lives N] [--seed S] [--trace STEPS] [--first] [--plans FILE] [--hashes FILE] [--repeat FILE]");
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
                    case "--hashes" -> hashes = Path.of(arguments[++i]);
                    case "--repeat" -> repeated = Files.readAllLines(Path.of(arguments[++i]));
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
            all.live(LifePlan.draw(WARM_UP_SEED + i), new Trace(0));
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long cpu = threads.getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        plans.forEach(this::live);
        repeated.forEach(this::repeat);
        for (long each = seed; each < seed + lives && !(first && violating > 0); each++) {
            long hashOfLife = live(LifePlan.draw(each));
            if (each % HASHED_ONE_IN == 0) {
                hashed.append(String.format("%d %016x%n", each, hashOfLife));
            }
        }
        writeHashes();
        double seconds = (System.nanoTime() - wall) / 1e9;
        double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpu) / 1e9;
        out.printf(
                Locale.ROOT,
                "lives %d: %d with violations; %.1f s, %.1f CPU-s, %.1f virtual s; steps %d, snapshots compared %d, kills %d, power cuts %d; hash %016x%n%s%nfaults %s%nthreads %s%n",
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
                ends,
                faults,
                ran);
        if (violating > 0) {
            out.println("lives that violate an invariant: " + violated);
        }
    }

    private void writeHashes() {
        Path into = hashes;
        try {
            if (into != null) {
                Files.writeString(into, hashed);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lives a life of another JVM again. */
    private void repeat(String line) {
        String[] fields = line.split(" ", 2);
        String again = String.format("%016x", live(LifePlan.draw(Long.parseLong(fields[0]))));
        if (!again.equals(fields[1])) {
            violating++;
            violated.merge(Invariant.LIFE_IS_REPEATABLE, 1, Integer::sum);
            out.println("seed " + fields[0] + " violates:\n  LIFE_IS_REPEATABLE: hash " + again + ", in another JVM "
                    + fields[1]);
        }
    }

    /** Lives a life; returns its hash. */
    private long live(LifePlan plan) {
        boolean alone = lives + plans.size() + repeated.size() == 1;
        Trace kept = new Trace(trace);
        LifeResult result = alone ? all.live(plan, kept) : all.live(plan);
        ends.merge(result.end(), 1, Integer::sum);
        steps += result.steps();
        nanos += result.nanos();
        snapshots += result.snapshots();
        kills += result.kills();
        cuts += result.cuts();
        result.faults().forEach((kind, count) -> faults.merge(kind, count, Integer::sum));
        result.threads().forEach(name -> ran.add(name.replaceAll("-[0-9]+$", "-N")));
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
        return result.hash();
    }

    private void report(LifePlan plan, LifeResult result) {
        if (violating > SHOWN_MAX) {
            return;
        }
        out.println("seed " + plan.seed() + " violates:");
        result.violations().forEach(each -> out.println("  " + each));
        Invariant invariant = result.violations().get(0).invariant();
        LifePlan smallest = new Shrinker(all, invariant).shrink(plan);
        out.print("# smallest life that violates " + invariant + "\n" + PlanText.format(smallest));
    }
}
