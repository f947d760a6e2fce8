package io.metricsaggregator.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.figures.ClockOffset;
import io.metricsaggregator.snapshot.figures.Slices;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunNodeTest {
    private final JsonSnapshotCodec json = new JsonSnapshotCodec();

    private static MetricsSnapshot snapshot(@Nullable String node, @Nullable ClockOffset offset) {
        return new MetricsSnapshot(
                1,
                2,
                SessionState.COMPLETE,
                0,
                List.of(),
                SnapshotExtensions.of(
                                new RunInfo(
                                        2, "r", "v", 1, 2, List.of(), List.of(), Map.of(), Map.of(), null, Map.of(),
                                        node, offset),
                                new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                                new Slices(0, 1, 0, List.of()))
                        .build());
    }

    @Test
    void a_run_without_a_node_has_none_of_the_keys_and_is_read_without_it() throws Exception {
        byte[] bytes = json.encode(snapshot(null, null));
        assertThat(new String(bytes, StandardCharsets.UTF_8)).doesNotContain("\"node\"", "wall_offset");
        RunInfo run = json.decode(ByteBuffer.wrap(bytes)).extensions().run();
        assertThat(run.node()).isNull();
        assertThat(run.clockOffset()).isNull();
    }

    @Test
    void the_keys_stand_in_run_with_their_units() throws Exception {
        Map<?, ?> tree = JsonTree.read(json.encode(snapshot("gpu-1", new ClockOffset(-5, 27))));
        Map<?, ?> run = (Map<?, ?>) tree.get("run");
        assertThat(run.get("node")).isEqualTo("gpu-1");
        assertThat(run.get("wall_offset_ns")).isEqualTo(-5L);
        assertThat(run.get("wall_offset_uncertainty_ns")).isEqualTo(27L);
    }

    @Test
    void a_negative_uncertainty_is_rejected_by_name() throws Exception {
        String whole = new String(json.encodeLine(snapshot("gpu-1", new ClockOffset(5, 27))), StandardCharsets.UTF_8);
        String negative = whole.replaceFirst("(wall_offset_uncertainty_ns\": ?)27", "$1-1");
        assertThat(negative).isNotEqualTo(whole);
        assertThatThrownBy(() -> json.decode(ByteBuffer.wrap(negative.getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("wall_offset_uncertainty_ns is negative: -1");
    }
}
