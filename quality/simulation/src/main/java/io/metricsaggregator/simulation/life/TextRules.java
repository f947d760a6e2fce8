package io.metricsaggregator.simulation.life;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.simulation.life.plan.LifePlan;
import io.metricsaggregator.simulation.machine.Fault;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What snapshots show of the texts that are counted: each text once, and a thread that hangs while it counts costs its text alone, and no more time than it is given. */
final class TextRules {
    private static final long SECOND = 1_000_000_000L;
    /** Time that a thread gets for a text, and for the steps of the others. */
    private static final long PATIENCE_NANOS = 31 * SECOND;

    /** Series of which a process that has read a journal back may show fewer values than the one before: it counts the texts again. */
    private static final Set<SeriesName> COUNTED_AGAIN =
            EnumSet.of(SeriesName.ISL, SeriesName.OSL, SeriesName.TPOT_NS, SeriesName.TPOT_BY_OSL_NS);

    private final Machine machine;
    private final Verdicts verdicts;
    private final boolean late;
    private final long patienceNanos;
    /** When threads of the process that runs began to hang. */
    private final List<Long> hung = new ArrayList<>();
    /** Threads that hung in the last process in which one did. */
    private int hungBefore;

    TextRules(Machine machine, Verdicts verdicts, LifePlan plan) {
        this.machine = machine;
        this.verdicts = verdicts;
        this.late = plan.isLate();
        this.patienceNanos = PATIENCE_NANOS * plan.count(Fault.Kind.HANG);
    }

    /** Time in nanoseconds by which threads that hang may hold the end of the run up. */
    long patienceNanos() {
        return patienceNanos;
    }

    void beginProcess() {
        hungBefore = hung.isEmpty() ? hungBefore : hung.size();
        hung.clear();
    }

    /** A thread hangs from now on. */
    void hung() {
        hung.add(machine.now());
    }

    static boolean areCountedAgain(String series) {
        return COUNTED_AGAIN.stream().anyMatch(each -> each.wire().equals(series));
    }

    /** Compares the texts of a snapshot with those of the frames in it. */
    void check(MetricsSnapshot shown, Figures expected, String where) {
        long texts = shown.counter(CounterName.TEXTS_ENQUEUED);
        long counted = shown.counter(CounterName.TEXTS_COUNTED);
        long failed = shown.counter(CounterName.TEXTS_FAILED);
        long dropped = shown.counter(CounterName.TEXTS_DROPPED);
        // The text of a thread that hung shows once the rest of its batch is counted, at which another one may hang.
        boolean overdue = !hung.isEmpty() && machine.now() - hung.get(hung.size() - 1) > PATIENCE_NANOS;
        // A process that replaces a killed one serves its result.
        boolean ofEarlier = hung.isEmpty() && shown.state().isTerminal();
        require(
                shown.pendingTasks() == texts - counted - failed && dropped <= shown.pendingTasks(),
                where + ": of " + texts + " texts " + counted + " are counted, " + failed + " failed, " + dropped
                        + " dropped, " + shown.pendingTasks() + " pending");
        require(
                (failed <= hung.size() && (late || !overdue || failed == hung.size()))
                        || (ofEarlier && failed == hungBefore),
                where + ": " + failed + " texts failed, threads hang since " + hung + ", now is " + machine.now());
        require(
                shown.state() != SessionState.COMPLETE || shown.pendingTasks() == dropped,
                where + " is COMPLETE, and " + shown.pendingTasks() + " texts are pending, of them dropped " + dropped);
        boolean all = shown.pendingTasks() + failed == 0;
        series(shown, SeriesName.ISL, expected.get(Count.PROMPTS), expected.get(Count.PROMPT_WORDS), all, where);
        series(shown, SeriesName.OSL, expected.get(Count.OUTPUTS), expected.get(Count.OUTPUT_WORDS), all, where);
        long timed = count(shown.series(SeriesName.TPOT_NS));
        require(
                timed <= expected.get(Count.TIMED_OUTPUTS) && (!all || timed == expected.get(Count.TIMED_OUTPUTS)),
                where + ": " + timed + " times per token, the model says " + expected.get(Count.TIMED_OUTPUTS));
    }

    private static long count(@Nullable SeriesMetric series) {
        return series == null ? 0 : series.count();
    }

    private void series(MetricsSnapshot shown, SeriesName name, long values, long total, boolean all, String where) {
        SeriesMetric series = shown.series(name);
        long count = count(series);
        long sum = series == null || count == 0 ? 0 : series.total().longValue();
        require(
                all ? count == values && sum == total : count <= values && sum <= total,
                where + ": " + name + " has " + count + " values, in all " + sum + ", the model says " + values
                        + ", in all " + total);
    }

    private void require(boolean holds, String what) {
        verdicts.require(holds, Invariant.TEXTS_ARE_COUNTED, what);
    }
}
