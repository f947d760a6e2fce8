package io.metricsaggregator.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The sums of a label in several runs, by the names that each run gave its codes. */
class LabelsPartTest {
    private static LabelSums sums(long... latencies) {
        SliceHistogram latency = new SliceHistogram();
        for (long each : latencies) {
            latency.record(each);
        }
        return new LabelSums(
                latencies.length, latencies.length, 0, 0, 0, 5, 6, latency, new SliceHistogram(), new SliceHistogram());
    }

    private static LabelsPart part(List<String> models, List<String> workers, Map<Integer, LabelSums> sums) {
        return new LabelsPart(
                List.of(new LabelsPart.Names("model", models), new LabelsPart.Names("worker", workers)), sums, false);
    }

    @Test
    void a_value_is_found_by_its_name_whatever_its_code() throws IOException {
        LabelsPart first = part(
                List.of("a", "b"),
                List.of("w"),
                Map.of(
                        LabelsPart.place(0, LabelsPart.CODE_FIRST), sums(1, 2, 3),
                        LabelsPart.place(0, LabelsPart.CODE_FIRST + 1), sums(4),
                        LabelsPart.place(0, LabelsPart.CODE_NONE), sums(5, 5),
                        LabelsPart.place(LabelsPart.KEYS_MAX, LabelsPart.CODE_FIRST), sums(9)));
        LabelsPart second =
                part(List.of("b", "a"), List.of(), Map.of(LabelsPart.place(0, LabelsPart.CODE_FIRST), sums(7, 8)));
        assertThat(first.of("model", "a").completed()).isEqualTo(3);
        LabelSums both = first.of("model", "b").add(second.of("model", "b"));
        assertThat(LabelSums.durations(both.latency()).count()).isEqualTo(3);
        assertThat(LabelSums.durations(both.latency()).maxNanos()).isEqualTo(8);
        assertThat(first.of("model", "(none)").completed()).isEqualTo(2);
        assertThat(first.of("model", "other")).isNull();
        assertThat(second.of("model", "a")).isNull();
        // A snapshot has no rows by worker for a run with one worker, and so has its merge.
        assertThat(first.of("worker", "w")).isNull();
        assertThat(first.of("tenant", "a")).isNull();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        first.write(new DataOutputStream(bytes));
        LabelsPart read = LabelsPart.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        assertThat(read.of("model", "a").completed()).isEqualTo(3);
        assertThat(read.breakdown()).isEqualTo(first.breakdown());
    }
}
