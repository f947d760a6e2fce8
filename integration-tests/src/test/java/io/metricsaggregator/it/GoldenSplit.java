package io.metricsaggregator.it;

import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.run.GoldenCase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Deals the events of a golden case to several nodes: a conversation or, without one, a sample belongs to one of them, and the session
 * to all.
 */
final class GoldenSplit {
    private static final String SAMPLE = "sample_uuid";
    private static final String CONVERSATION = "conversation_id";

    private final List<SimulatedNode> nodes;
    private final Map<String, SimulatedNode> bySample = new HashMap<>();
    private final BatchReader batch = new BatchReader();

    private GoldenSplit(List<SimulatedNode> nodes) {
        this.nodes = nodes;
    }

    /** Applies all events of a case to the nodes. */
    static void deal(GoldenCase golden, List<SimulatedNode> nodes) throws IOException {
        GoldenSplit split = new GoldenSplit(nodes);
        for (ByteBuffer frame : golden.frames()) {
            split.frame(frame);
        }
    }

    private void frame(ByteBuffer frame) {
        byte[] topic = new byte[Topic.LENGTH];
        frame.get(0, topic);
        String name = new String(topic, StandardCharsets.US_ASCII).replace("\0", "");
        int size = frame.limit() - Topic.LENGTH;
        if (!name.equals(Topic.BATCH)) {
            byte[] record = new byte[size];
            frame.get(Topic.LENGTH, record);
            record(name, record);
        } else if (batch.open(frame, Topic.LENGTH, size) >= 0) {
            while (batch.next()) {
                byte[] record = new byte[batch.length()];
                frame.get(batch.start(), record);
                batched(record);
            }
        }
    }

    private void batched(byte[] record) {
        byte[] frame = ByteBuffer.allocate(Topic.LENGTH + 6 + record.length)
                .put(Topic.pad(Topic.BATCH))
                .put((byte) 0x91)
                .put((byte) 0xc6)
                .putInt(record.length)
                .put(record)
                .array();
        for (SimulatedNode each : receivers(record)) {
            each.apply(frame);
        }
    }

    private void record(String topic, byte[] record) {
        for (SimulatedNode each : receivers(record)) {
            each.apply(Topic.frame(topic, record));
        }
    }

    private List<SimulatedNode> receivers(byte[] record) {
        String text = new String(record, StandardCharsets.ISO_8859_1);
        String sample = field(text, SAMPLE);
        String conversation = field(text, CONVERSATION);
        if (sample.isEmpty() && text.contains("session.")) {
            return nodes;
        }
        String key = conversation.isEmpty() ? sample : conversation;
        return List.of(bySample.computeIfAbsent(sample, any -> nodes.get(Math.floorMod(key.hashCode(), nodes.size()))));
    }

    private static String field(String text, String name) {
        int at = text.indexOf(name);
        return at < 0 ? "" : string(text, at + name.length());
    }

    /** The MessagePack string at a place; empty for anything else. */
    private static String string(String text, int at) {
        int kind = text.charAt(at);
        if ((kind & 0xe0) == 0xa0) {
            return text.substring(at + 1, at + 1 + (kind & 0x1f));
        }
        return kind == 0xd9 ? text.substring(at + 2, at + 2 + text.charAt(at + 1)) : "";
    }
}
