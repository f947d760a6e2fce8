package io.metricsaggregator.producer;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Generates the events of a synthetic benchmark in time order: Poisson arrivals, log-normal times to the first token and between
 * chunks, several workers that number their records, and errors; with optional keys conversations too, whose next turn is the first request
 * after its user has thought. The same seed gives the same events.
 */
public final class SyntheticLoad {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double CLIENT_SLIP_MILLIS = 0.2;
    private static final int LONGEST_OUTPUT_CHUNKS = 400;
    private static final int LONGEST_PROMPT_TOKENS = 8000;
    private static final int CACHE_BLOCK_TOKENS = 16;

    private static final String[] WORDS = {
        "the ", "model ", "answers ", "with ", "a ", "token ", "at ", "time, ", "and ", "so ", "it ", "goes ", "on. "
    };
    private static final ErrorData[] ERRORS = {
        new ErrorData("TimeoutError", "upstream gave no answer in time"),
        new ErrorData("RateLimitError", "429 Too Many Requests"),
        new ErrorData("ConnectionResetError", "connection reset by peer")
    };

    /**
     * The parameters of a load.
     *
     * @param requestsPerSecond mean rate of arrivals, above 0
     * @param durationNanos time in which requests arrive; those in flight then finish
     * @param warmupNanos time before performance tracking starts
     * @param streaming whether answers come in chunks
     * @param errorShare share of requests that fail, 0 to 1
     * @param workers number of workers, at least 1
     * @param outputChunks median length of an answer, in chunks
     * @param timeToFirstTokenMillis median time to the first token
     * @param betweenChunksMillis median time between chunks
     * @param seed of the random numbers
     * @param optionalKeys whether records carry the optional keys of this project, such as {@code usage}
     */
    public record Shape(
            double requestsPerSecond,
            long durationNanos,
            long warmupNanos,
            boolean streaming,
            double errorShare,
            int workers,
            int outputChunks,
            double timeToFirstTokenMillis,
            double betweenChunksMillis,
            long seed,
            boolean optionalKeys) {

        /** Creates the shape of a load without optional keys. */
        public Shape(
                double requestsPerSecond,
                long durationNanos,
                long warmupNanos,
                boolean streaming,
                double errorShare,
                int workers,
                int outputChunks,
                double timeToFirstTokenMillis,
                double betweenChunksMillis,
                long seed) {
            this(
                    requestsPerSecond,
                    durationNanos,
                    warmupNanos,
                    streaming,
                    errorShare,
                    workers,
                    outputChunks,
                    timeToFirstTokenMillis,
                    betweenChunksMillis,
                    seed,
                    false);
        }

        public Shape {
            require(
                    requestsPerSecond > 0 && requestsPerSecond <= 1e7,
                    "--rate is not above 0 and at most 10,000,000 per s");
            require(durationNanos > 0, "--duration is not above 0");
            require(
                    warmupNanos >= 0 && warmupNanos < durationNanos,
                    "--warmup: the warm-up is not shorter than --duration");
            require(errorShare >= 0 && errorShare <= 1, "--error-rate: the share of errors is not from 0 to 1");
            require(workers >= 1 && workers <= 1024, "--workers is not 1 to 1024");
            require(
                    outputChunks >= 1 && outputChunks <= LONGEST_OUTPUT_CHUNKS,
                    "--chunks is not 1 to " + LONGEST_OUTPUT_CHUNKS);
            require(timeToFirstTokenMillis > 0, "--ttft is not above 0");
            require(betweenChunksMillis > 0, "--chunk-gap is not above 0");
        }

        private static void require(boolean holds, String otherwise) {
            if (!holds) {
                throw new IllegalArgumentException(otherwise);
            }
        }
    }

    private record Pending(long atNanos, long order, EventRecord event) {}

    private final Shape shape;
    private final long startNanos;
    private final SplittableRandom random;
    private final PriorityQueue<Pending> pending = new PriorityQueue<>(
            (a, b) -> a.atNanos != b.atNanos ? Long.compare(a.atNanos, b.atNanos) : Long.compare(a.order, b.order));
    private final @Nullable SyntheticConversations conversations;
    private final long[] sequence;
    private long order;
    private long nextArrivalNanos;
    private boolean arrivalsDone;
    private int closing;

    /**
     * Creates a load.
     *
     * @param startNanos timestamp of {@code session.started}, on the clock of {@link System#nanoTime}
     */
    public SyntheticLoad(Shape shape, long startNanos) {
        this.shape = shape;
        this.startNanos = startNanos;
        this.random = new SplittableRandom(shape.seed());
        this.conversations = shape.optionalKeys() ? new SyntheticConversations(shape.seed()) : null;
        this.sequence = new long[shape.workers()];
        this.nextArrivalNanos = startNanos + interval();
        add(startNanos, EventRecord.session(EventType.SESSION_STARTED, startNanos));
        long tracking = startNanos + shape.warmupNanos();
        add(tracking, EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, tracking));
    }

    /** Returns the next event; null after {@code session.ended}. */
    public @Nullable EventRecord next() {
        while (true) {
            Pending first = pending.peek();
            if (!arrivalsDone && (first == null || nextArrivalNanos <= first.atNanos)) {
                arrive();
            } else if (first != null) {
                pending.remove();
                return numbered(first.event);
            } else if (closing < 3) {
                close(closing++);
            } else {
                return null;
            }
        }
    }

    private EventRecord numbered(EventRecord event) {
        int worker = event.workerId() == null ? 0 : (int) (long) event.workerId();
        return event.from(worker, sequence[worker]++).inLife(startNanos & Long.MAX_VALUE);
    }

    /** The last events: stop of the load generator, stop of tracking, end of the session, 1 ms apart or less. */
    private void close(int step) {
        long at = lastNanos + (step + 1) * 1000L;
        EventType type = switch (step) {
            case 0 -> EventType.SESSION_STOP_LOADGEN;
            case 1 -> EventType.SESSION_STOP_PERFORMANCE_TRACKING;
            default -> EventType.SESSION_ENDED;
        };
        add(at, EventRecord.session(type, at));
    }

    private long lastNanos;

    private void add(long atNanos, EventRecord event) {
        lastNanos = Math.max(lastNanos, atNanos);
        pending.add(new Pending(atNanos, order++, event));
    }

    private void arrive() {
        long at = nextArrivalNanos;
        if (at - startNanos >= shape.durationNanos()) {
            arrivalsDone = true;
            return;
        }
        nextArrivalNanos = at + interval();
        sample(at, random.nextInt(shape.workers()));
    }

    private long interval() {
        return (long) (-Math.log1p(-random.nextDouble()) / shape.requestsPerSecond() * NANOS_PER_SECOND);
    }

    private void sample(long arrival, long worker) {
        // A real client issues slightly late.
        long issued = arrival + (long) (logNormal(CLIENT_SLIP_MILLIS, 0.8) * NANOS_PER_MILLI);
        String id = String.format("%016x%016x", random.nextLong(), random.nextLong());
        int newTokens = (int) Math.min(LONGEST_PROMPT_TOKENS, Math.max(1, logNormal(200, 0.9)));
        SyntheticConversations.Turn turn = conversations == null ? null : conversations.next(arrival);
        int context = turn == null ? 0 : turn.contextTokens();
        int promptTokens = Math.min(LONGEST_PROMPT_TOKENS, context + newTokens);
        List<Number> tokens = new ArrayList<>(promptTokens);
        for (int i = 0; i < promptTokens; i++) {
            tokens.add((long) random.nextInt(128_000));
        }
        EventRecord issue = event(EventType.SAMPLE_ISSUED, issued, id, worker)
                .withData(PromptData.ofTokenIds(tokens))
                .scheduledAt(arrival);
        add(issued, turn == null ? issue : turn.on(issue.withLabels(labels(worker, promptTokens))));
        // The prefill time grows with the prompt.
        double prefill = 1 + promptTokens / 2000.0;
        long at = issued + (long) (logNormal(shape.timeToFirstTokenMillis(), 0.5) * prefill * NANOS_PER_MILLI);
        if (random.nextDouble() < shape.errorShare()) {
            ErrorData error = ERRORS[random.nextInt(ERRORS.length)];
            add(at, event(EventType.ERROR_CLIENT, at, id, worker).withData(error));
            add(at + 1, event(EventType.SAMPLE_COMPLETE, at + 1, id, worker));
            if (conversations != null && turn != null) {
                conversations.completed(turn, at + 1, context);
            }
            return;
        }
        answer(issued, at, id, worker, promptTokens, turn);
    }

    /** Each worker has an endpoint of its own; long prompts are of another tenant. */
    private static Map<String, String> labels(long worker, int promptTokens) {
        return Map.of("endpoint", "endpoint-" + worker, "tenant", promptTokens > 400 ? "long-context" : "chat");
    }

    private void answer(
            long issued,
            long firstAt,
            String id,
            long worker,
            int promptTokens,
            SyntheticConversations.@Nullable Turn turn) {
        int length = (int) Math.min(LONGEST_OUTPUT_CHUNKS, Math.max(1, logNormal(shape.outputChunks(), 0.7)));
        // With optional keys, every other answer begins with reasoning.
        int thinking = shape.optionalKeys() && promptTokens % 2 == 0 ? length / 4 : 0;
        List<String> chunks = new ArrayList<>(length);
        long at = firstAt;
        for (int i = 0; i < length; i++) {
            chunks.add(WORDS[random.nextInt(WORDS.length)]);
            if (i > 0) {
                at += (long) (logNormal(shape.betweenChunksMillis(), 0.4) * NANOS_PER_MILLI);
            }
            if (shape.streaming()) {
                EventType type = i == 0 ? EventType.SAMPLE_RECV_FIRST : EventType.SAMPLE_RECV_NON_FIRST;
                EventRecord chunk = event(type, at, id, worker);
                ChunkPart part = i < thinking ? ChunkPart.REASONING : ChunkPart.OUTPUT;
                add(at, shape.optionalKeys() ? chunk.withPart(part).withTokens(1) : chunk);
            }
        }
        ModelText thought = thinking == 0 ? null : text(chunks.subList(0, thinking));
        ModelText text = text(chunks.subList(thinking, length));
        String reason = length == LONGEST_OUTPUT_CHUNKS ? "length" : random.nextInt(50) == 0 ? "tool_calls" : "stop";
        EventRecord completion = event(EventType.SAMPLE_COMPLETE, at + 1, id, worker)
                .withData(new TextModelOutput(text, thought, null))
                .withFinishReason(reason);
        if (shape.optionalKeys()) {
            completion = completion.withServer(server(promptTokens, firstAt - issued, at - firstAt));
        }
        if (conversations == null || turn == null) {
            add(at + 1, completion);
            return;
        }
        add(at + 1, completion.withUsage(usage(promptTokens, turn.contextTokens(), length, thinking)));
        conversations.completed(turn, at + 1, promptTokens + length - thinking);
    }

    /** Times of a server that has most of the time to the first token: a tenth to a third of that in its queue, the rest in the prompt. */
    private static ServerTimes server(int promptTokens, long toFirst, long decode) {
        long own = toFirst * 9 / 10;
        long queue = own * (10 + promptTokens % 24) / 100;
        return ServerTimes.from(ServerTimes.Source.BODY)
                .with(ServerKey.QUEUE_NS, queue)
                .with(ServerKey.PREFILL_NS, own - queue)
                .with(ServerKey.TTFT_NS, own - queue)
                .with(ServerKey.DECODE_NS, decode)
                .with(ServerKey.E2E_NS, own + decode);
    }

    /**
     * The usage of an answer with a token per chunk, as a server with a prefix cache of whole blocks reports it: the turns before, or half of a first
     * prompt.
     */
    private static Usage usage(int promptTokens, int contextTokens, int outputTokens, int reasoningTokens) {
        int known = contextTokens == 0 ? promptTokens / 2 : Math.min(promptTokens, contextTokens);
        int cached = known / CACHE_BLOCK_TOKENS * CACHE_BLOCK_TOKENS;
        return Usage.of(promptTokens, outputTokens)
                .with(UsageKey.CACHED_TOKENS, cached)
                .with(UsageKey.REASONING_TOKENS, reasoningTokens);
    }

    private ModelText text(List<String> chunks) {
        return shape.streaming() ? new ModelText.Chunks(chunks) : new ModelText.Whole(String.join("", chunks));
    }

    private static EventRecord event(EventType type, long at, String id, long worker) {
        return EventRecord.sample(type, at, id).from(worker, 0);
    }

    private double logNormal(double median, double sigma) {
        return median * Math.exp(sigma * gaussian());
    }

    /** Returns a normal random number (Box and Muller): SplittableRandom has no {@code nextGaussian} in Java 17. */
    private double gaussian() {
        double u = 1 - random.nextDouble();
        return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
