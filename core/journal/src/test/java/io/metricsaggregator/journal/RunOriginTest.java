package io.metricsaggregator.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunOriginTest {
    private static final RunOrigin ORIGIN = new RunOrigin("cafe", "gpu-1", 1_700_000_000_000_000_000L, 40L);

    @TempDir
    private Path run;

    private void segment(int number, long sequence, Map<String, String> description) throws IOException {
        try (JournalWriter writer = new JournalWriter(run, description, number, sequence, 1 << 20, -1)) {
            writer.frame(ByteBuffer.allocate(10), 0, 10, 5);
            writer.endBurst(5);
        }
    }

    private JournalReader read() throws IOException {
        JournalReader reader = new JournalReader();
        reader.read(run, new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {
                // The test reads only the origin.
            }

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                // The test reads only the origin.
            }
        });
        return reader;
    }

    @Test
    void an_origin_is_read_as_it_was_written_and_the_start_is_on_both_clocks() {
        Map<String, String> entries = ORIGIN.entries(1_700_000_000_000_000_123L);
        assertThat(entries)
                .containsEntry(RunOrigin.STARTED_WALL_NANOS, "1700000000000000123")
                .containsEntry(RunOrigin.STARTED_MONOTONIC_NANOS, "123");
        assertThat(RunOrigin.of(entries)).isEqualTo(ORIGIN);
    }

    @Test
    void a_journal_of_an_earlier_version_has_an_id_and_neither_node_nor_clock() {
        assertThat(RunOrigin.of(Map.of("run_id", "cafe", "started_wall_ns", "1700000000000000000")))
                .isEqualTo(new RunOrigin("cafe", null, null, null));
    }

    @Test
    void a_clock_that_is_not_a_number_or_has_a_negative_uncertainty_is_unknown() {
        Map<String, String> whole = ORIGIN.entries(1_700_000_000_000_000_123L);
        for (String name : new String[] {
            RunOrigin.STARTED_WALL_NANOS, RunOrigin.STARTED_MONOTONIC_NANOS, RunOrigin.UNCERTAINTY_NANOS
        }) {
            Map<String, String> damaged = new HashMap<>(whole);
            damaged.put(name, "soon");
            assertThat(RunOrigin.of(damaged).wallOffsetNanos()).as(name).isNull();
            assertThat(RunOrigin.of(damaged).wallOffsetUncertaintyNanos())
                    .as(name)
                    .isNull();
        }
        Map<String, String> negative = new HashMap<>(whole);
        negative.put(RunOrigin.UNCERTAINTY_NANOS, "-1");
        assertThat(RunOrigin.of(negative)).isEqualTo(new RunOrigin("cafe", "gpu-1", null, null));
    }

    @Test
    void the_newest_segment_gives_the_clock_and_the_first_one_the_description() throws IOException {
        segment(1, 0, ORIGIN.entries(1_700_000_000_000_000_123L));
        RunOrigin restarted = new RunOrigin("cafe", "gpu-1", 1_600_000_000_000_000_000L, 9L);
        segment(2, 10, restarted.entries(1_700_000_000_000_000_123L));
        JournalReader reader = read();
        assertThat(reader.origin()).isEqualTo(restarted);
        assertThat(RunOrigin.of(reader.run())).isEqualTo(ORIGIN);
    }

    @Test
    void a_node_in_a_journal_becomes_a_name_that_is_safe_as_a_folder() {
        assertThat(RunOrigin.of(Map.of("node", "../../etc")).node()).isEqualTo("n.._.._etc");
        assertThat(RunOrigin.of(Map.of("node", "a\u001b[31m b")).node()).isEqualTo("a__31m_b");
        assertThat(RunOrigin.of(Map.of("node", " ")).node()).isNull();
        assertThat(RunOrigin.of(Map.of("node", "x".repeat(10_000))).node()).hasSize(NodeName.MAX);
    }

    @Test
    void a_given_name_is_taken_whole_or_refused_with_its_text() {
        for (String valid : new String[] {"gpu-1", "node7.rack_2", "9", "x".repeat(NodeName.MAX)}) {
            assertThat(NodeName.require(valid)).isEqualTo(valid).isEqualTo(NodeName.nearest(valid));
        }
        for (String refused : new String[] {"", ".hidden", "-x", "a/b", "a b", "ä", "a\n", "x".repeat(129)}) {
            assertThatThrownBy(() -> NodeName.require(refused))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("--node '" + refused + "' is not a name of 1 to 128 letters");
        }
    }

    @Test
    void what_is_unknown_of_an_origin_is_not_written() {
        assertThat(RunOrigin.UNKNOWN.entries(5)).containsExactly(Map.entry(RunOrigin.STARTED_WALL_NANOS, "5"));
        assertThat(new RunOrigin(null, null, 3L, null).entries(5)).hasSize(1);
        assertThat(new RunOrigin("cafe", null, 3L, 0L).entries(5))
                .isEqualTo(Map.of(
                        RunOrigin.STARTED_WALL_NANOS, "5",
                        RunOrigin.RUN_ID, "cafe",
                        RunOrigin.STARTED_MONOTONIC_NANOS, "2",
                        RunOrigin.UNCERTAINTY_NANOS, "0"));
        assertThat(RunOrigin.of(new RunOrigin("cafe", null, 3L, 0L).entries(5)).wallOffsetUncertaintyNanos())
                .isZero();
    }
}
