package io.metricsaggregator.flink.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class RunFrameSerializerTest {
    @Test
    void a_frame_is_read_as_it_was_written() throws IOException {
        RunFrame frame = new RunFrame("run", 3, 17, -1, 1, new byte[] {1, 2, 3});
        DataOutputSerializer bytes = new DataOutputSerializer(64);
        RunFrameSerializer.INSTANCE.serialize(frame, bytes);
        RunFrame read = RunFrameSerializer.INSTANCE.deserialize(new DataInputDeserializer(bytes.getCopyOfBuffer()));
        assertThat(read).usingRecursiveComparison().isEqualTo(frame);
    }
}
