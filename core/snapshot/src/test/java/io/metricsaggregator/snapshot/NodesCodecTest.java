package io.metricsaggregator.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The nodes of a fleet in both forms of a snapshot. */
class NodesCodecTest {
    private final MsgpackSnapshotCodec msgpack = new MsgpackSnapshotCodec();
    private final JsonSnapshotCodec json = new JsonSnapshotCodec();

    @Test
    void nodesOfAFleetAreKeysOfTheirOwn() throws Exception {
        String written = new String(json.encode(SnapshotCodecTest.full()), StandardCharsets.UTF_8);
        assertThat(written)
                .contains("\"nodes\": [", "\"nodes_expected\": 4", "\"nodes_repeated\": 5", "\"nodes_discarded\": 6")
                .contains("\"state\": \"waiting\"", "\"offset_s\": -0.002", "\"refused\": \"its histograms");
        SnapshotExtensions read = msgpack.decode(ByteBuffer.wrap(msgpack.encode(SnapshotCodecTest.full())))
                .extensions();
        assertThat(read).isNotNull();
        assertThat(read.optional().nodes()).isEqualTo(NodesExample.nodes());
        assertThat(read.optional().withNodes(null).nodes()).isNull();
    }

    @Test
    void aNodeStateOfALaterVersionReadsAsStale() throws Exception {
        String later = new String(json.encode(SnapshotCodecTest.full()), StandardCharsets.UTF_8)
                .replace("\"state\": \"waiting\"", "\"state\": \"asleep\"");
        Nodes read = json.decode(ByteBuffer.wrap(later.getBytes(StandardCharsets.UTF_8)))
                .extensions()
                .optional()
                .nodes();
        assertThat(read.rows().get(2).state()).isEqualTo(NodeState.STALE);
        assertThat(read.count(NodeState.WAITING)).isZero();
    }
}
