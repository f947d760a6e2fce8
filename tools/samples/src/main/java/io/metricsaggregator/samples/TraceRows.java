package io.metricsaggregator.samples;

import io.metricsaggregator.event.DecodedJob;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.UsageKey;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes a trace: a process for each worker, in it a thread for each request that is in flight at a time, the parts of each request as slices,
 * arrows between the turns of a conversation, and counters. Beyond {@code eventsMax} events every second request is left out, as often as needed.
 */
final class TraceRows implements Rows {
    /** Above it, viewers run out of memory. */
    static final int EVENTS_MAX = 5_000_000;

    private static final long STALL_NANOS = 1_000_000_000L;
    /** The slices of a request and their arrow. */
    private static final int EVENTS_EACH = 6;

    private static final Comparator<Request> IN_ORDER =
            Comparator.<Request>comparingLong(each -> each.begin).thenComparingLong(each -> each.number);

    private final OutputStream out;
    private final boolean chunks;
    private final int eventsMax;
    private final TraceCounters counters = new TraceCounters();
    private final Map<String, Chunks> open = new HashMap<>();
    private List<Request> requests = new ArrayList<>();
    private long seen;
    private long kept;
    private long stride = 1;
    private long newest = Long.MIN_VALUE;
    private @Nullable SampleRow last;

    /** What the chunks of a request said until now. */
    private static final class Chunks {
        private long last;
        private final List<Long> times = new ArrayList<>();
        private final List<long[]> stalls = new ArrayList<>();
    }

    private static final class Request {
        private final long number;
        private final SampleRow row;
        private final long begin;
        private final long end;
        private final @Nullable Chunks chunks;

        Request(long number, SampleRow row, long begin, long end, @Nullable Chunks chunks) {
            this.number = number;
            this.row = row;
            this.begin = begin;
            this.end = end;
            this.chunks = chunks;
        }

        int events() {
            return EVENTS_EACH + (chunks == null ? 0 : chunks.times.size() + chunks.stalls.size());
        }
    }

    /** A thread of a worker that has a request until a time. */
    private record Slot(long until, int number) {}

    /**
     * A trace.
     *
     * @param chunks whether each chunk is an instant
     * @param eventsMax number of events, nearly
     */
    TraceRows(OutputStream out, boolean chunks, int eventsMax) {
        this.out = out;
        this.chunks = chunks;
        this.eventsMax = eventsMax;
    }

    @Override
    public void record(RecordRow row) {
        Long at = row.timestampNanos();
        if (at == null) {
            return;
        }
        newest = Math.max(newest, at);
        boolean first = EventType.SAMPLE_RECV_FIRST.wireName().equals(row.type());
        if (!first && !EventType.SAMPLE_RECV_NON_FIRST.wireName().equals(row.type())) {
            counters.observation(row);
            return;
        }
        counters.chunk(at, row.tokens());
        Chunks of = open.computeIfAbsent(String.valueOf(row.sampleUuid()), id -> new Chunks());
        if (!first && of.last > 0 && at - of.last >= STALL_NANOS) {
            of.stalls.add(new long[] {of.last, at});
        }
        of.last = at;
        if (chunks) {
            of.times.add(at);
        }
    }

    @Override
    public void sample(SampleRow row) {
        Chunks of = open.remove(row.id);
        Long issued = row.issued;
        if (issued == null) {
            return;
        }
        long begin = row.scheduled != null && row.scheduled < issued ? row.scheduled : issued;
        long end = Math.max(row.completed == null ? newest : row.completed, issued);
        counters.flight(issued, end);
        last = row;
        long number = seen++;
        if (number % stride != 0) {
            return;
        }
        Request request = new Request(number, row, begin, end, of);
        requests.add(request);
        kept += request.events();
        while (kept > eventsMax && requests.size() > 1) {
            stride *= 2;
            requests = new ArrayList<>(
                    requests.stream().filter(each -> each.number % stride == 0).toList());
            kept = requests.stream().mapToLong(Request::events).sum();
        }
    }

    /** The number of requests in the run. */
    long requests() {
        return seen;
    }

    /** The number of requests in the trace. */
    long shown() {
        return requests.size();
    }

    @Override
    public void close() throws IOException {
        requests.sort(IN_ORDER);
        long zero = Math.min(requests.isEmpty() ? Long.MAX_VALUE : requests.get(0).begin, counters.first());
        TraceEvents events = new TraceEvents(out, zero == Long.MAX_VALUE ? 0 : zero);
        events.name("process_name", 1, 0, "run");
        counters.write(events, 1);
        Map<String, Worker> workers = new LinkedHashMap<>();
        Map<String, Turn> turns = new HashMap<>();
        Map<String, Turn> steps = new HashMap<>();
        for (Request each : requests) {
            String name = each.row.worker == null ? "" : each.row.worker;
            Worker worker = workers.get(name);
            if (worker == null) {
                // The first process has the counters.
                worker = new Worker(workers.size() + 2);
                workers.put(name, worker);
                events.name(
                        "process_name", worker.process, 0, name.isEmpty() ? "requests" : "requests of worker " + name);
            }
            int thread = worker.slot(each, events);
            write(events, worker.process, thread, each);
            Turn turn = new Turn(worker.process, thread, each);
            if (each.row.conversation != null) {
                turn.follows(turns.put(each.row.conversation, turn), "next turn", each.number, events);
            }
            if (each.row.job != null) {
                steps.put(each.row.id, turn);
                for (int i = 0; i < each.row.job.parents().size(); i++) {
                    Turn parent = steps.get(each.row.job.parents().get(i));
                    turn.follows(parent, "waited for", each.number * DecodedJob.PARENTS_MAX + i, events);
                }
            }
        }
        events.end(facts());
    }

    private Map<String, @Nullable Object> facts() {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put("run_id", last == null ? null : last.origin.runId());
        facts.put("node", last == null ? null : last.origin.node());
        facts.put("requests", seen);
        facts.put("requests_shown", (long) requests.size());
        facts.put("observations_left_out", counters.pointsLeftOut());
        return facts;
    }

    private static void write(TraceEvents events, int process, int thread, Request request) throws IOException {
        SampleRow row = request.row;
        String name = row.completed == null ? "request, never complete" : row.failed ? "request, failed" : "request";
        events.slice(process, thread, name, request.begin, request.end, arguments(row));
        long issued = row.issued == null ? request.begin : row.issued;
        part(events, process, thread, "queue", request.begin, issued);
        Long first = row.first;
        if (first == null || first < issued || first > request.end) {
            return;
        }
        part(events, process, thread, "ttft", issued, first);
        long answer = row.answered == null || row.answered < first
                ? row.thought ? request.end : first
                : Math.min(row.answered, request.end);
        part(events, process, thread, "thinking", first, answer);
        part(events, process, thread, "decode", answer, request.end);
        Chunks chunks = request.chunks;
        if (chunks == null) {
            return;
        }
        for (long[] stall : chunks.stalls) {
            events.alarm(process, thread, "stall", stall[0], stall[1]);
        }
        for (long at : chunks.times) {
            events.instant(process, thread, "chunk", at);
        }
    }

    private static void part(TraceEvents events, int process, int thread, String name, long from, long to)
            throws IOException {
        if (to > from) {
            events.slice(process, thread, name, from, to, Map.of());
        }
    }

    private static Map<String, @Nullable Object> arguments(SampleRow row) {
        Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
        arguments.put("sample_uuid", row.id);
        put(arguments, "conversation_id", row.conversation);
        put(arguments, "finish_reason", row.finishReason);
        put(arguments, "error_type", row.error == null ? null : row.error.errorType());
        put(arguments, "chunks", row.chunks == 0 ? null : (Long) row.chunks);
        if (row.usage != null) {
            for (UsageKey key : List.of(UsageKey.PROMPT_TOKENS, UsageKey.CACHED_TOKENS, UsageKey.COMPLETION_TOKENS)) {
                put(arguments, key.wireName(), row.usage.count(key));
            }
        }
        put(arguments, "good", row.good);
        put(arguments, "tracked", row.tracked);
        return arguments;
    }

    private static void put(Map<String, @Nullable Object> arguments, String name, @Nullable Object value) {
        if (value != null) {
            arguments.put(name, value);
        }
    }

    private record Turn(int process, int thread, Request request) {
        /** Draws an arrow from a request that ended before this one began. */
        void follows(@Nullable Turn before, String name, long id, TraceEvents events) throws IOException {
            if (before != null && before.request.end <= request.begin) {
                events.flow(true, id, before.process, before.thread, name, before.request.end - 1);
                events.flow(false, id, process, thread, name, request.begin);
            }
        }
    }

    /** The threads of a worker: a request gets the lowest one that is free, so that there are as many as requests in flight at most. */
    private static final class Worker {
        private final int process;
        private final PriorityQueue<Slot> busy = new PriorityQueue<>(Comparator.comparingLong(Slot::until));
        private final TreeSet<Integer> free = new TreeSet<>();
        private int threads;

        Worker(int process) {
            this.process = process;
        }

        int slot(Request request, TraceEvents events) throws IOException {
            while (!busy.isEmpty() && busy.element().until <= request.begin) {
                free.add(busy.remove().number);
            }
            Integer number = free.pollFirst();
            if (number == null) {
                number = ++threads;
                events.name("thread_name", process, number, "slot " + number);
            }
            busy.add(new Slot(request.end, number));
            return number;
        }
    }
}
