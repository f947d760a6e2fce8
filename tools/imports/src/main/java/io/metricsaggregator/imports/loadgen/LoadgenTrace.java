package io.metricsaggregator.imports.loadgen;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.json.Decimals;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The samples of a LoadGen trace. First tokens stand apart from their samples: by id, or, in the server scenario, as counters without an
 * id, which are joined by schedule and issue where that is unique. Holds all samples in memory, about 200 bytes each, at most
 * {@value #SAMPLES_MAX}. Belongs to one read.
 */
final class LoadgenTrace {
    /** Most samples of a trace. */
    static final int SAMPLES_MAX = 1 << 24;

    private static final int MICROS = 3;
    /** Times beyond 146 years are damage; sums of three of them do not overflow. */
    private static final long NANOS_MAX = Long.MAX_VALUE / 2;

    private final Map<Long, Sample> samples = new LinkedHashMap<>();
    private final Map<Long, Long> tokens = new HashMap<>();
    private final Map<Start, Counted> counters = new HashMap<>();
    private final List<Sample> latencies = new ArrayList<>();

    /** A sample: due time, and issue and completion after it, in nanoseconds. */
    private record Sample(long due, long issueDelay, long completed) {
        Start start() {
            return new Start(due, issueDelay);
        }
    }

    /** What a counter of the server scenario says of its sample. */
    private record Start(long due, long issueDelay) {}

    /** First tokens of samples with the same start. */
    private record Counted(long firstNanos, int tokens) {}

    /** Takes an event; others than samples, first tokens and latencies are ignored. */
    void add(JsonFields event, ImportSink sink) throws IOException, InvalidField {
        String name = event.textOfAny("name");
        String phase = event.textOfAny("ph");
        if (name == null || phase == null) {
            return;
        }
        switch (name + " " + phase) {
            case "Sample b" -> sample(event, sink);
            case "Token b" -> {
                JsonFields args = event.requiredObject("args");
                tokens.putIfAbsent(id(event, args), due(event) + nanos(args, "complete_ns"));
            }
            case "Token_Latency C" -> {
                JsonFields args = event.requiredObject("args");
                Start start = new Start(due(event), nanos(args, "issue_delay"));
                Counted before = counters.get(start);
                long first = start.due() + start.issueDelay() + nanos(args, "issue_to_done");
                counters.put(start, new Counted(first, before == null ? 1 : before.tokens() + 1));
            }
            case "Latency C" -> {
                JsonFields args = event.requiredObject("args");
                long delay = nanos(args, "issue_delay");
                limit(latencies.size());
                latencies.add(new Sample(due(event), delay, delay + nanos(args, "issue_to_done")));
            }
            default -> {}
        }
    }

    private void sample(JsonFields event, ImportSink sink) throws IOException, InvalidField {
        JsonFields args = event.requiredObject("args");
        limit(samples.size());
        Sample sample = new Sample(due(event), nanos(args, "issue_start_ns"), nanos(args, "complete_ns"));
        if (samples.putIfAbsent(id(event, args), sample) != null) {
            sink.skipped("id_repeated");
        }
    }

    private static void limit(int size) throws IOException {
        if (size >= SAMPLES_MAX) {
            throw new IOException("the trace has more than " + SAMPLES_MAX + " samples");
        }
    }

    private static long id(JsonFields event, JsonFields args) throws InvalidField {
        Long id = event.integer("id");
        if (id == null) {
            id = args.integer("sample_seq");
        }
        if (id == null) {
            throw new InvalidField("id", "missing");
        }
        return id;
    }

    /** Due time: microseconds with decimals, or, before LoadGen 1.0, whole nanoseconds. */
    private static long due(JsonFields event) throws InvalidField {
        Object value = event.any("ts");
        Long nanos = Decimals.nanos(JsonFields.number(value, "ts"), value instanceof BigDecimal ? MICROS : 0);
        return within(nanos, "ts");
    }

    private static long nanos(JsonFields args, String name) throws InvalidField {
        return within(args.requiredNanos(name, 0), name);
    }

    private static long within(@Nullable Long nanos, String name) throws InvalidField {
        if (nanos == null || nanos < -NANOS_MAX / 2 || nanos > NANOS_MAX / 2) {
            throw new InvalidField(name, "invalid");
        }
        return nanos;
    }

    /** Hands the samples over. */
    void hand(ImportSink sink) throws IOException {
        Map<Start, Integer> starts = new HashMap<>();
        if (!counters.isEmpty()) {
            samples.values().forEach(each -> starts.merge(each.start(), 1, Integer::sum));
            latencies.forEach(each -> starts.merge(each.start(), samples.isEmpty() ? 1 : 0, Integer::sum));
        }
        for (Map.Entry<Long, Sample> each : samples.entrySet()) {
            Long first = tokens.get(each.getKey());
            hand(
                    each.getValue(),
                    each.getKey().toString(),
                    first == null ? joined(each.getValue(), starts, sink) : first,
                    sink);
        }
        if (samples.isEmpty()) {
            for (Sample each : latencies) {
                hand(each, null, joined(each, starts, sink), sink);
            }
        }
        if (tokens.isEmpty() && counters.isEmpty()) {
            sink.unknowable("ttft_ns", "the trace has no first tokens");
        }
    }

    private @Nullable Long joined(Sample sample, Map<Start, Integer> starts, ImportSink sink) {
        Counted counted = counters.get(sample.start());
        if (counted == null) {
            return null;
        }
        if (counted.tokens() > 1 || starts.getOrDefault(sample.start(), 0) > 1) {
            sink.skipped("first_token_ambiguous");
            return null;
        }
        return counted.firstNanos();
    }

    private static void hand(Sample sample, @Nullable String id, @Nullable Long first, ImportSink sink)
            throws IOException {
        sink.request(ImportedRequest.issuedAfter(sample.due() + sample.issueDelay())
                .scheduledAt(sample.due())
                .id(id)
                .firstChunkAt(first)
                .succeededAt(sample.due() + sample.completed()));
    }
}
