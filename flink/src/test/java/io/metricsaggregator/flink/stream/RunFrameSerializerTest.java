package io.metricsaggregator.flink.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class RunFrameSerializerTest {
    @Test
    void frames_outages_and_ends_are_read_as_they_were_written() throws IOException {
        for (RunFrame each : List.of(
                new RunFrame("run", 3, 17, -1, 1, new byte[] {1, 2, 3}),
                RunFrame.outage("run", 5, 7),
                RunFrame.end("another", 11, 13))) {
            DataOutputSerializer bytes = new DataOutputSerializer(64);
            RunFrameSerializer.INSTANCE.serialize(each, bytes);
            RunFrame read = RunFrameSerializer.INSTANCE.deserialize(new DataInputDeserializer(bytes.getCopyOfBuffer()));
            assertThat(read).usingRecursiveComparison().isEqualTo(each);
        }
    }
}
