package io.metricsaggregator.samples;

import io.metricsaggregator.codec.JsonTree;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes events in the JSON form that Perfetto and chrome://tracing read, one on each line. Times are in nanoseconds and are written in microseconds
 * since a zero, with all their digits.
 */
final class TraceEvents {
    private static final long NANOS_PER_MICRO = 1000;

    private final OutputStream out;
    private final long zeroNanos;
    private boolean any;

    TraceEvents(OutputStream out, long zeroNanos) throws IOException {
        this.out = out;
        this.zeroNanos = zeroNanos;
        text("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    }

    /** Names a process, or one of its threads. */
    void name(String what, int process, int thread, String name) throws IOException {
        write(start("M", process, thread, what) + ",\"args\":" + json(Map.of("name", name)) + "}");
    }

    /** A span of time of a thread; those that begin together are nested in the order of the calls. */
    void slice(int process, int thread, String name, long from, long to, Map<String, ?> arguments) throws IOException {
        write(start("X", process, thread, name) + time("ts", from - zeroNanos) + time("dur", Math.max(0, to - from))
                + (arguments.isEmpty() ? "" : ",\"args\":" + json(arguments)) + "}");
    }

    /** A span that something is wrong with, in red where the viewer takes colours from the file. */
    void alarm(int process, int thread, String name, long from, long to) throws IOException {
        write(start("X", process, thread, name) + time("ts", from - zeroNanos) + time("dur", to - from)
                + ",\"cname\":\"terrible\"}");
    }

    /** A moment of a thread. */
    void instant(int process, int thread, String name, long at) throws IOException {
        write(start("i", process, thread, name) + time("ts", at - zeroNanos) + ",\"s\":\"t\"}");
    }

    /** The value of a counter of a process from a time on. */
    void counter(int process, String name, long at, double value) throws IOException {
        write(start("C", process, 0, name) + time("ts", at - zeroNanos) + ",\"args\":" + json(Map.of("value", value))
                + "}");
    }

    /** One end of an arrow between the slices that contain two moments. */
    void flow(boolean begin, long number, int process, int thread, String name, long at) throws IOException {
        write(start(begin ? "s" : "f", process, thread, name) + time("ts", at - zeroNanos) + ",\"cat\":\"flow\",\"id\":"
                + number + (begin ? "}" : ",\"bp\":\"e\"}"));
    }

    /** Completes the document with facts about it. */
    void end(Map<String, ? extends @Nullable Object> facts) throws IOException {
        text("\n],\"otherData\":" + json(facts) + "}\n");
        out.flush();
    }

    private static String start(String phase, int process, int thread, String name) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("ph", phase);
        fields.put("pid", (long) process);
        fields.put("tid", (long) thread);
        fields.put("name", name);
        String text = json(fields);
        return text.substring(0, text.length() - 1);
    }

    /** A number of microseconds with three decimals, for which a double has too few digits in a long run. */
    private static String time(String key, long nanos) {
        return ",\"" + key + "\":" + (nanos < 0 ? "-" : "") + Math.abs(nanos / NANOS_PER_MICRO) + "."
                + String.valueOf(NANOS_PER_MICRO + Math.abs(nanos % NANOS_PER_MICRO))
                        .substring(1);
    }

    private static String json(Map<String, ? extends @Nullable Object> fields) {
        return new String(JsonTree.writeLine(fields), StandardCharsets.UTF_8);
    }

    private void write(String event) throws IOException {
        if (any) {
            text(",\n");
        }
        any = true;
        text(event);
    }

    private void text(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
