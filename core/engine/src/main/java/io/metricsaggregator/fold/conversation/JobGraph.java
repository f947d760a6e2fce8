package io.metricsaggregator.fold.conversation;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.figures.Jobs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one job, samples and tool calls, and the steps that each had to wait for. Its figures depend on neither ids nor, without circles, the order
 * of arrival. Of more than {@value #STEPS_MAX} steps the older ones that have ended collapse into their longest path; a step that waits for one of them
 * continues that path. One owner at a time; knows no clock.
 */
final class JobGraph {
    static final int STEPS_MAX = 4096;

    private static final Comparator<Step> BY_START = Comparator.comparingLong(step -> step.start);

    /** A sample or a tool call. */
    static final class Step {
        private final long id;
        private final long start;
        private final boolean tool;
        private final long[] parents;
        private boolean ended;
        private long end;
        private int visits;
        private Jobs.Path path = Jobs.Path.BLANK;
        private long children;
        private long unknown;

        private Step(long id, long start, boolean tool, long[] parents) {
            this.id = id;
            this.start = start;
            this.tool = tool;
            this.parents = LongStream.of(parents).distinct().toArray();
        }

        long nanos() {
            return ended ? Math.max(0, TimestampMath.saturatedBetween(start, end)) : 0;
        }
    }

    private static final int DONE = 2;

    private final Map<Long, Step> steps = new LinkedHashMap<>();
    private long firstStart = Long.MAX_VALUE;
    long lastEnd = Long.MIN_VALUE;
    long collapsed;
    /** Of the collapsed steps: the longest path, and the last end of those that ended. */
    private Jobs.@Nullable Path longest;

    private long longestTo = Long.MIN_VALUE;
    private long llm;
    private long busy;
    private long busyTo = Long.MIN_VALUE;
    private long fanOut;
    /** After {@link #close}: steps that have not ended, and parents that are no step or wait for the step themselves; these are ignored. */
    long open;

    long unknown;

    /** Number of steps that are kept. */
    int size() {
        return steps.size();
    }

    /** Adds a step that starts; null if the job has one of that id. */
    @Nullable
    Step start(long id, long nanos, boolean tool, long[] parents) {
        if (steps.containsKey(id)) {
            return null;
        }
        if (steps.size() >= STEPS_MAX) {
            List<Step> old = new ArrayList<>(oldest(true, STEPS_MAX / 2));
            // To collapse costs as much as there are steps, so some leave each time: the oldest of the others are given
            // up as never ending.
            old.addAll(oldest(false, STEPS_MAX / 16 - old.size()));
            collapsed += old.size();
            collapse(old);
        }
        Step step = new Step(id, nanos, tool, parents);
        steps.put(id, step);
        firstStart = Math.min(firstStart, nanos);
        return step;
    }

    private List<Step> oldest(boolean ended, int count) {
        return steps.values().stream()
                .filter(each -> each.ended == ended)
                .limit(Math.max(0, count))
                .toList();
    }

    /** Ends a step. */
    void end(Step step, long nanos) {
        step.ended = true;
        step.end = nanos;
        lastEnd = Math.max(lastEnd, nanos);
    }

    /** The figures of the job, as of one that completed; nothing may be added afterwards. */
    Jobs close() {
        collapse(List.copyOf(steps.values()));
        long latency = Math.max(0, TimestampMath.saturatedBetween(firstStart, Math.max(firstStart, lastEnd)));
        Jobs.Path path = longest == null ? Jobs.Path.BLANK : longest;
        return new Jobs(0, 1, 0, 0, fanOut, latency, llm, busy, path, null, List.of(), List.of());
    }

    private void collapse(List<Step> old) {
        findPaths();
        old.stream().filter(each -> each.ended && !each.tool).sorted(BY_START).forEach(this::addBusy);
        for (Step step : old) {
            steps.remove(step.id);
            unknown += step.unknown;
            open += step.ended ? 0 : 1;
            llm = TimestampMath.saturatedAdd(llm, step.tool ? 0 : step.nanos());
            if (step.ended) {
                longest = longer(longest, step.path);
                longestTo = Math.max(longestTo, step.end);
            }
        }
    }

    /** Adds a sample that starts after those before it to the length of their union. */
    private void addBusy(Step sample) {
        long from = Math.max(sample.start, busyTo);
        if (sample.end > from) {
            busy = TimestampMath.saturatedAdd(busy, TimestampMath.saturatedBetween(from, sample.end));
            busyTo = sample.end;
        }
    }

    /** Finds the longest path to each step, its own time included, and counts its children. */
    private void findPaths() {
        steps.values().forEach(step -> {
            step.visits = 0;
            step.children = 0;
            step.unknown = 0;
        });
        Deque<Step> stack = new ArrayDeque<>();
        for (Step each : steps.values()) {
            stack.push(each);
            while (!stack.isEmpty()) {
                Step step = stack.element();
                if (step.visits++ == 0) {
                    pushParents(step, stack);
                } else {
                    stack.pop();
                    if (step.visits == DONE) {
                        findPath(step);
                    }
                }
            }
        }
    }

    private void pushParents(Step step, Deque<Step> stack) {
        for (long id : step.parents) {
            Step parent = steps.get(id);
            if (parent != null && parent.visits == 0) {
                stack.push(parent);
            }
        }
    }

    /** Finds the longest path to a step whose parents have theirs. */
    private void findPath(Step step) {
        Jobs.Path before = null;
        long to = Long.MIN_VALUE;
        for (long id : step.parents) {
            Step parent = steps.get(id);
            if (parent == null ? longest == null : parent.visits < DONE || id == step.id) {
                step.unknown++;
            } else if (parent == null) {
                before = longer(before, longest);
                to = Math.max(to, longestTo);
            } else {
                fanOut = Math.max(fanOut, ++parent.children);
                before = parent.ended ? longer(before, parent.path) : before;
                to = parent.ended ? Math.max(to, parent.end) : to;
            }
        }
        long waited = before == null ? 0 : Math.max(0, TimestampMath.saturatedBetween(to, step.start));
        Jobs.Path own = new Jobs.Path(step.tool ? 0 : step.nanos(), step.tool ? step.nanos() : 0, waited);
        step.path = before == null ? own : before.plus(own);
    }

    private static Jobs.@Nullable Path longer(Jobs.@Nullable Path a, Jobs.@Nullable Path b) {
        return a == null ? b : b == null ? a : a.longer(b);
    }
}
