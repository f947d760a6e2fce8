import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.*;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.transport.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.locks.LockSupport;

/** Producer in Java with the library metrics-aggregator-producer. Runs one case of check-producer; keeps level 5. */
public final class Producer {
    private static final long WORKER = ProcessHandle.current().pid();
    private static final long LIFE = System.currentTimeMillis() * 1_000_000 + System.nanoTime() % 1_000_000;
    private final EventPublisher publisher;
    private final Set<String> streamed = new HashSet<>();
    private long sequence;
    private long zero;

    private Producer(EventPublisher publisher) {
        this.publisher = publisher;
        new EventEncoder().encode(record(Map.of("do", "issue", "prompt", ""), "")); // loads classes before time counts
    }

    public static void main(String[] arguments) throws Exception {
        Endpoint endpoint = Endpoint.parse(System.getenv("MA_ENDPOINT"), true);
        Map<String, ?> script = JsonTree.read(System.in.readAllBytes());
        try (EventPublisher publisher = new EventPublisher(List.of(endpoint), TransportOptions.defaults())) {
            if (!publisher.awaitSubscribers(1, Duration.ofSeconds(30))) {
                throw new IllegalStateException("no subscriber within 30 s");
            }
            new Producer(publisher).perform((List<?>) script.get("steps"));
            publisher.close(Duration.ofSeconds(30));
        }
    }

    private void perform(List<?> steps) throws Exception {
        zero = System.nanoTime(); // CLOCK_MONOTONIC on Linux
        for (Object each : steps) {
            Map<?, ?> step = (Map<?, ?>) each;
            sleepUntil(zero + (Long) step.get("at_ms") * 1_000_000);
            if (step.get("do").equals("flood")) {
                flood(step);
            } else {
                send(record(step, step.get("sample") instanceof String id ? id : ""));
            }
        }
    }

    private EventRecord record(Map<?, ?> step, String id) {
        String text = (String) step.get("text");
        TextModelOutput output = text == null ? null : new TextModelOutput(new ModelText.Whole(text), null, null);
        switch ((String) step.get("do")) {
            case "issue" -> {
                PromptData prompt = new PromptData((String) step.get("prompt"), null, null, null, null, null, null);
                String conversation = step.get("conversation") instanceof String c ? c : "";
                Long scheduled = step.get("scheduled_ms") instanceof Long millis ? zero + millis * 1_000_000 : null;
                return new EventRecord(EventType.SAMPLE_ISSUED, System.nanoTime(), id, conversation,
                        (Long) step.get("turn"), prompt, null, null, null, scheduled);
            }
            case "chunk" -> {
                boolean first = streamed.add(id);
                return now(first ? EventType.SAMPLE_RECV_FIRST : EventType.SAMPLE_RECV_NON_FIRST, id).withData(output);
            }
            case "complete" -> {
                EventRecord end = now(EventType.SAMPLE_COMPLETE, id);
                end = output == null ? end : end.withData(output);
                end = step.get("finish_reason") instanceof String reason ? end.withFinishReason(reason) : end;
                return step.get("usage") instanceof Map<?, ?> usage ? end.withUsage(usage(usage)) : end;
            }
            case "error" -> {
                ErrorData error = new ErrorData((String) step.get("type"), (String) step.get("message"));
                return now(type(step), id).withData(error);
            }
            default -> {
                return now(type(step), "");
            }
        }
    }

    private static Usage usage(Map<?, ?> reported) {
        Usage usage = new Usage(Map.of(), "client".equals(reported.get("by")));
        for (UsageKey key : UsageKey.values()) {
            usage = reported.get(key.wireName()) instanceof Long count ? usage.with(key, count) : usage;
        }
        return usage;
    }

    private void flood(Map<?, ?> step) throws Exception {
        long start = System.nanoTime();
        long rate = (Long) step.get("samples_per_s");
        for (long i = 0; i < (Long) step.get("samples"); i++) {
            String id = step.get("prefix") + Long.toString(i);
            send(now(EventType.SAMPLE_ISSUED, id));
            send(now(EventType.SAMPLE_COMPLETE, id).withFinishReason("stop"));
            if (rate > 0 && i % 500 == 0) {
                sleepUntil(start + i * 1_000_000_000 / rate);
            }
        }
    }

    private void send(EventRecord record) throws Exception {
        publisher.publish(record.from(WORKER, sequence++).inLife(LIFE));
    }

    private static EventRecord now(EventType type, String sample) {
        return EventRecord.sample(type, System.nanoTime(), sample);
    }

    private static EventType type(Map<?, ?> step) {
        return EventType.valueOf(((String) step.get("event")).toUpperCase(Locale.ROOT).replace('.', '_'));
    }

    private static void sleepUntil(long time) {
        while (time - System.nanoTime() > 0) {
            LockSupport.parkNanos(time - System.nanoTime());
        }
    }
}
