package io.metricsaggregator.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.OptionalKeys;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.journal.RunOrigin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces, read back as the JSON that viewers read. */
class TraceRowsTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    private static SampleRow row(String id, long begin, long end) {
        SampleRow row = new SampleRow(id, RunOrigin.UNKNOWN);
        row.issued = begin * SECOND;
        row.completed = end * SECOND;
        return row;
    }

    private static List<Map<?, ?>> events(byte[] document) throws Exception {
        List<Map<?, ?>> events = new ArrayList<>();
        for (Object each : (List<?>) JsonTree.read(document).get("traceEvents")) {
            events.add((Map<?, ?>) each);
        }
        return events;
    }

    /** The events of a phase as {@code name from..to}, in seconds. */
    private static List<String> spans(List<Map<?, ?>> events, String phase) {
        return events.stream()
                .filter(each -> phase.equals(each.get("ph")))
                .map(each -> each.get("pid") + "." + each.get("tid") + " " + each.get("name") + " "
                        + seconds(each.get("ts")) + (each.get("dur") == null ? "" : "+" + seconds(each.get("dur"))))
                .toList();
    }

    private static String seconds(Object micros) {
        return new BigDecimal(micros.toString())
                .movePointLeft(6)
                .stripTrailingZeros()
                .toPlainString();
    }

    private static byte[] trace(int eventsMax, Collection<SampleRow> rows) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceRows trace = new TraceRows(out, false, eventsMax)) {
            for (SampleRow each : rows) {
                trace.sample(each);
            }
        }
        return out.toByteArray();
    }

    @Test
    void a_step_of_a_job_has_an_arrow_from_each_request_that_it_waited_for() throws Exception {
        SampleRow a = row("a", 0, 2);
        a.job = new OptionalKeys.Job("job", List.of(), null, false);
        SampleRow b = row("b", 0, 3);
        b.job = new OptionalKeys.Job("job", List.of(), null, false);
        SampleRow late = row("late", 1, 5);
        late.job = new OptionalKeys.Job("job", List.of("a"), null, false);
        SampleRow c = row("c", 4, 5);
        c.job = new OptionalKeys.Job("job", List.of("a", "no such", "b", "late"), null, true);
        List<Map<?, ?>> events = events(trace(1000, List.of(a, b, late, c)));
        assertThat(spans(events, "s"))
                .extracting(each -> each.replaceAll("^\\S+ ", ""))
                .containsExactly("waited for 1.999999999", "waited for 2.999999999");
        assertThat(spans(events, "f"))
                .extracting(each -> each.replaceAll("^\\S+ ", ""))
                .containsExactly("waited for 4", "waited for 4");
    }

    @Test
    void requests_share_as_few_threads_as_are_in_flight_at_a_time() throws Exception {
        byte[] document = trace(1000, List.of(row("b", 1, 2), row("a", 0, 3), row("c", 2, 4), row("d", 3, 5)));
        assertThat(spans(events(document), "X"))
                .containsExactly("2.1 request 0+3", "2.2 request 1+1", "2.2 request 2+2", "2.1 request 3+2");
        assertThat(spans(events(document), "C"))
                .containsExactly(
                        "1.0 in flight 0",
                        "1.0 in flight 1",
                        "1.0 in flight 2",
                        "1.0 in flight 3",
                        "1.0 in flight 4",
                        "1.0 in flight 5");
    }

    @Test
    void no_thread_has_two_requests_at_a_time_and_the_threads_are_the_peak() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<SampleRow> rows = new ArrayList<>();
        TreeMap<Long, Integer> changes = new TreeMap<>();
        for (int i = 0; i < 500; i++) {
            long begin = random.nextInt(1000);
            long end = begin + 1 + random.nextInt(50);
            rows.add(row("s" + i, begin, end));
            changes.merge(begin, 1, Integer::sum);
            changes.merge(end, -1, Integer::sum);
        }
        int open = 0;
        int peak = 0;
        for (int each : changes.values()) {
            open += each;
            peak = Math.max(peak, open);
        }
        List<Map<?, ?>> events = events(trace(1_000_000, rows));
        Map<Object, BigDecimal> ends = new TreeMap<>();
        for (Map<?, ?> each : events) {
            if ("X".equals(each.get("ph"))) {
                BigDecimal begin = new BigDecimal(each.get("ts").toString());
                assertThat(begin).isGreaterThanOrEqualTo(ends.getOrDefault(each.get("tid"), BigDecimal.ZERO));
                ends.put(
                        each.get("tid"),
                        begin.add(new BigDecimal(each.get("dur").toString())));
            }
        }
        assertThat(ends).hasSize(peak);
    }

    @Test
    void a_long_run_shows_every_second_request_as_often_as_needed_and_says_so() throws Exception {
        List<SampleRow> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            rows.add(row("s" + i, i, i + 1));
        }
        byte[] document = trace(180, rows);
        assertThat(spans(events(document), "X")).hasSize(25).contains("2.1 request 96+1");
        assertThat(new String(document, StandardCharsets.UTF_8)).contains("\"requests\":100,\"requests_shown\":25");
    }

    @Test
    void a_request_has_its_parts_its_stalls_its_chunks_and_an_arrow_to_the_next_turn() throws Exception {
        Path run = Files.createDirectory(directory.resolve("run-1-cafe"));
        try (JournalWriter writer = new JournalWriter(run, Map.of("run_id", "cafe", "node", "n1"), 1, 0, 1 << 20, -1)) {
            write(writer, EventRecord.session(EventType.SESSION_STARTED, 1));
            write(
                    writer,
                    EventRecord.sample(EventType.SAMPLE_ISSUED, 2 * SECOND, "a")
                            .inConversation("c", 1L)
                            .scheduledAt(SECOND)
                            .from(3, 0));
            write(
                    writer,
                    EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 3 * SECOND, "a")
                            .withPart(ChunkPart.REASONING));
            write(
                    writer,
                    EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, 3 * SECOND + 500_000_001, "a")
                            .withPart(ChunkPart.OUTPUT));
            write(writer, EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, 5 * SECOND, "a"));
            write(writer, EventRecord.sample(EventType.SAMPLE_COMPLETE, 6 * SECOND, "a"));
            write(
                    writer,
                    EventRecord.sample(EventType.SAMPLE_ISSUED, 7 * SECOND, "b")
                            .inConversation("c", 2L)
                            .from(4, 0));
            write(
                    writer,
                    EventRecord.sample(EventType.ERROR_CLIENT, 8 * SECOND, "b").withData(new ErrorData("Timeout", "")));
            write(writer, EventRecord.sample(EventType.SAMPLE_COMPLETE, 8 * SECOND, "b"));
            write(writer, EventRecord.sample(EventType.SAMPLE_ISSUED, 8 * SECOND, "lost"));
            write(writer, EventRecord.session(EventType.SESSION_ENDED, 9 * SECOND));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(JournalExport.writeTrace(directory, true, out)).isEqualTo(new JournalExport.Trace(11, 3, 3));
        List<Map<?, ?>> events = events(out.toByteArray());
        assertThat(spans(events, "X"))
                .containsExactly(
                        "2.1 request 0+5",
                        "2.1 queue 0+1",
                        "2.1 ttft 1+1",
                        "2.1 thinking 2+0.500000001",
                        "2.1 decode 2.500000001+2.499999999",
                        "2.1 stall 2.500000001+1.499999999",
                        "3.1 request, failed 6+1",
                        "4.1 request, never complete 7+1");
        assertThat(spans(events, "i")).containsExactly("2.1 chunk 2", "2.1 chunk 2.500000001", "2.1 chunk 4");
        assertThat(spans(events, "s")).containsExactly("2.1 next turn 4.999999999");
        assertThat(spans(events, "f")).containsExactly("3.1 next turn 6");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\"name\":\"requests of worker 3\"")
                .contains("\"error_type\":\"Timeout\"")
                .contains("\"cname\":\"terrible\"")
                .contains("\"run_id\":\"cafe\",\"node\":\"n1\"");
    }

    private static void write(JournalWriter writer, EventRecord event) {
        byte[] frame = Topic.frame("events", new EventEncoder().encode(event));
        writer.frame(ByteBuffer.wrap(frame), 0, frame.length, 1000);
        writer.endBurst(1000);
    }
}
