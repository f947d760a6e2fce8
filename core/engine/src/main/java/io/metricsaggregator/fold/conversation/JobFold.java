package io.metricsaggregator.fold.conversation;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.DecodedJob;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.fold.series.LateMetrics;
import io.metricsaggregator.snapshot.fields.Adder;
import io.metricsaggregator.snapshot.figures.Jobs;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Folds the jobs of agents: tracked samples and tool calls with the same {@code job_id}. A job ends once its last sample has ended and no other is in
 * flight, or with the session; then its times are computed and its steps forgotten. A sample without {@code job_id} belongs to the job of its conversation
 * once the run has a key of jobs. Belongs to the thread of the fold; a run without such keys allocates nothing.
 */
public final class JobFold {
    /** Steps kept for each job that may be kept, on average. */
    private static final long STEPS_PER_JOB = 16;

    private static final int ENDS_MAX = 1 << 20;

    private static final class Job {
        private final long id;
        private final JobGraph graph = new JobGraph();
        private boolean hasSample;
        private int inFlight;
        private boolean lastIssued;
        private boolean lastEnded;
        private boolean failed;
        private boolean settled;

        private Job(long id) {
            this.id = id;
        }
    }

    /** A sample in flight. */
    private record InFlight(Job job, JobGraph.Step step, String agent, boolean last) {}

    private final LateMetrics metrics;
    private final int max;
    private final long seed;
    /** The jobs that have not ended, the longest idle first. */
    private final Map<Long, Job> jobs = new LinkedHashMap<>(16, 0.75f, true);

    private final EvictedConversations settled = new EvictedConversations();
    /** Samples in flight by row. */
    private final List<@Nullable InFlight> rows = new ArrayList<>();

    private final CallCounts tools = new CallCounts();
    private final CallCounts agents = new CallCounts();
    private final Adder adder = new Adder(TimestampMath::saturatedAdd, false);
    private Jobs sums = Jobs.BLANK;
    private long[] ends = new long[0];
    private int endCount;
    private boolean seen;
    private long steps;
    private long failed;
    private long unfinished;

    /**
     * A fold without jobs.
     *
     * @param max jobs kept, with {@value #STEPS_PER_JOB} steps each on average; beyond them the longest idle is evicted; 0 for a fold without jobs
     * @param seed secret seed of the hash of ids
     */
    public JobFold(LateMetrics metrics, int max, long seed) {
        this.metrics = metrics;
        this.max = max;
        this.seed = seed;
    }

    /** Counts the first issue of a tracked sample. */
    public void issued(DecodedEvent event, int row, long now) {
        DecodedJob keys = event.job();
        if (!seen && !keys.isPresent()) {
            return;
        }
        take(row);
        if (!keys.hasId() && !event.conversation().isPresent()) {
            return;
        }
        Job job = find(keys.hasId() ? keys.hash(seed) : event.conversation().hash(seed));
        JobGraph.Step step = start(job, DecodedJob.sample(event, seed), now, false, keys.parents(seed));
        if (job == null || step == null) {
            return;
        }
        boolean last = keys.isLast() || (!keys.hasId() && event.conversation().isLastTurn());
        job.hasSample = true;
        job.lastIssued |= last;
        job.inFlight++;
        while (rows.size() <= row) {
            rows.add(null);
        }
        rows.set(row, new InFlight(job, step, keys.agent(), last));
    }

    /** The job of that id, which is now the one used last; null if it has ended. */
    private @Nullable Job find(long id) {
        Job job = jobs.get(id);
        if (job == null && max > 0 && !settled.contains(id)) {
            while (jobs.size() >= max) {
                evict();
            }
            job = new Job(id);
            jobs.put(id, job);
            seen = true;
        }
        return job;
    }

    /** Starts a step; null, and counted, if its job has ended or has a step of that id. */
    private JobGraph.@Nullable Step start(@Nullable Job job, long id, long nanos, boolean tool, long[] parents) {
        int before = job == null ? 0 : job.graph.size();
        JobGraph.Step step = job == null ? null : job.graph.start(id, nanos, tool, parents);
        if (job == null || step == null) {
            metrics.add(CounterName.JOB_NODES_DROPPED, 1);
            return null;
        }
        steps += job.graph.size() - before;
        while (steps > Math.max(JobGraph.STEPS_MAX, STEPS_PER_JOB * max) && jobs.size() > 1) {
            evict();
        }
        return step;
    }

    private void evict() {
        metrics.add(CounterName.JOBS_EVICTED, 1);
        settle(jobs.values().iterator().next(), false);
    }

    private @Nullable InFlight take(int row) {
        return row < rows.size() ? rows.set(row, null) : null;
    }

    /** Counts the completion of a tracked sample. */
    public void completed(int row, boolean hasFailed, long now) {
        InFlight sample = take(row);
        if (sample != null && !sample.job.settled) {
            sample.job.graph.end(sample.step, now);
            sample.job.failed |= hasFailed;
            sample.job.lastEnded |= sample.last;
            if (!sample.agent.isEmpty()) {
                agents.add(sample.agent, hasFailed, sample.step.nanos());
            }
            left(sample.job);
        }
    }

    /** Takes note that a tracked sample was evicted: it never ends. */
    public void evicted(int row) {
        InFlight sample = take(row);
        if (sample != null && !sample.job.settled) {
            left(sample.job);
        }
    }

    private void left(Job job) {
        jobs.put(job.id, job); // it is now the one used last
        job.inFlight--;
        if (job.lastEnded && job.inFlight == 0) {
            settle(job, false);
        }
    }

    /**
     * Counts a tool call that ended, a {@code tool.complete}, tracked or not. A job without tracked samples counts only while it is open.
     *
     * @throws TelemetryRecord.Rejected if a field is missing, of another type or out of range; nothing is counted then
     */
    public void tool(TelemetryRecord record) throws TelemetryRecord.Rejected {
        if (!record.action().equals("complete")) {
            throw new TelemetryRecord.Rejected("unknown_type");
        }
        long id = DecodedJob.hash(text(record, "job_id"), seed);
        long step = DecodedJob.hash(text(record, "id"), seed);
        String name = text(record, "name");
        long nanos = record.count("duration_ns");
        List<?> parents = record.list("parents");
        require(name.length() <= DecodedJob.AGENT_MAX_BYTES, "name");
        require(!record.has("ok") || record.fields().get("ok") instanceof Boolean, "ok");
        require(!record.has("parents") || record.fields().get("parents") instanceof List, "parents");
        require(
                parents.size() <= DecodedJob.PARENTS_MAX && parents.stream().allMatch(String.class::isInstance),
                "parents");
        long end = record.timestampNanos();
        long[] after = parents.stream()
                .mapToLong(each -> DecodedJob.hash((String) each, seed))
                .toArray();
        Job job = find(id);
        JobGraph.Step call = start(job, step, TimestampMath.saturatedSum(end, -nanos), true, after);
        if (job != null && call != null) {
            job.graph.end(call, end);
            tools.add(name, Boolean.FALSE.equals(record.fields().get("ok")), nanos);
        }
    }

    private static String text(TelemetryRecord record, String key) throws TelemetryRecord.Rejected {
        String text = record.text(key);
        require(text != null && !text.isEmpty(), key);
        return String.valueOf(text);
    }

    private static void require(boolean valid, String key) throws TelemetryRecord.Rejected {
        if (!valid) {
            throw new TelemetryRecord.Rejected("invalid_" + key);
        }
    }

    /** Ends all jobs: the session has ended. */
    public void end() {
        List.copyOf(jobs.values()).forEach(job -> settle(job, true));
    }

    /** Computes the figures of a job that ends, with the session or before it. */
    private void settle(Job job, boolean withSession) {
        jobs.remove(job.id);
        settled.add(job.id);
        job.settled = true;
        steps -= job.graph.size();
        Jobs one = job.graph.close();
        metrics.add(CounterName.JOB_NODES_OPEN, job.graph.open);
        metrics.add(CounterName.JOB_NODES_COLLAPSED, job.graph.collapsed);
        metrics.add(CounterName.JOB_PARENTS_UNKNOWN, job.graph.unknown);
        boolean unmarked = withSession && job.hasSample && !job.lastIssued && job.inFlight == 0;
        if (job.failed || (!job.lastEnded && !unmarked)) {
            failed += job.failed ? 1 : 0;
            unfinished += job.failed || !job.hasSample ? 0 : 1;
            return;
        }
        sums = adder.add(sums, one, Jobs::pass);
        metrics.series(SeriesName.JOB_LATENCY_NS).record(one.latencyNanos());
        metrics.series(SeriesName.JOB_LLM_NS).record(one.llmNanos());
        metrics.series(SeriesName.JOB_LLM_BUSY_NS).record(one.busyNanos());
        metrics.series(SeriesName.JOB_CRITICAL_PATH_NS).record(one.path().nanos());
        if (endCount < ENDS_MAX) {
            ends = endCount < ends.length ? ends : Arrays.copyOf(ends, Math.max(64, 2 * endCount));
            ends[endCount++] = job.graph.lastEnd;
        }
    }

    /**
     * Copies the figures; null before the first job.
     *
     * @param window the steady window of a run that has ended; null for none
     */
    public @Nullable Jobs summary(@Nullable SteadyWindow window) {
        return !seen
                ? null
                : new Jobs(
                        jobs.size(),
                        sums.completed(),
                        failed,
                        unfinished,
                        sums.fanOut(),
                        sums.latencyNanos(),
                        sums.llmNanos(),
                        sums.busyNanos(),
                        sums.path(),
                        window == null || endCount == ENDS_MAX ? null : (Long) ended(window),
                        tools.copy(),
                        agents.copy());
    }

    private long ended(SteadyWindow in) {
        return Arrays.stream(ends, 0, endCount)
                .filter(each -> each >= in.fromNanos() && each < in.toNanos())
                .count();
    }
}
