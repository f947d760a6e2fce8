package io.metricsaggregator.journal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Frames as producers send them, frames that are almost such, and noise. */
final class MadeFrames {
    private static final int TOPIC_BYTES = 40;
    private static final String[] KEYS = {
        "timestamp_ns", "sample_uuid", "conversation_id", "turn", "data", "seq", "worker_id", "x"
    };

    private final Random random;
    private final List<byte[]> ids = new ArrayList<>();
    private long time = 1_000_000_000_000L;

    MadeFrames(Random random) {
        this.random = random;
    }

    /** A frame of any kind. */
    byte[] next() {
        byte[] frame = switch (random.nextInt(8)) {
            case 0 -> noise(random.nextInt(200));
            case 1 ->
                random.nextBoolean()
                        ? join(topic("batch"), noise(random.nextInt(60)))
                        : chunks(random, 1 + random.nextInt(40), random.nextBoolean());
            case 2, 3 -> join(topic(random.nextInt(20) == 0 ? "t" + random.nextInt(100) : "sample"), record());
            default -> batch(random.nextInt(random.nextBoolean() ? 20 : 3), random.nextInt(4));
        };
        if (random.nextInt(6) == 0 && frame.length > 0) {
            frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return random.nextInt(20) == 0 ? Arrays.copyOf(frame, random.nextInt(frame.length + 1)) : frame;
    }

    private byte[] noise(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] topic(String name) {
        return Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), TOPIC_BYTES);
    }

    /** An array of binaries whose heads are the shortest (0), of two bytes (1), of four (2) or of any size. */
    private byte[] batch(int count, int heads) {
        byte[][] parts = new byte[count][];
        for (int i = 0; i < count; i++) {
            byte[] record = random.nextInt(30) == 0 ? noise(random.nextInt(4)) : record();
            int size = heads == 3 ? random.nextInt(3) : heads;
            byte[] head = size == 0 && record.length < 256
                    ? new byte[] {(byte) 0xc4, (byte) record.length}
                    : size < 2
                            ? ByteBuffer.allocate(3)
                                    .put((byte) 0xc5)
                                    .putShort((short) record.length)
                                    .array()
                            : ByteBuffer.allocate(5)
                                    .put((byte) 0xc6)
                                    .putInt(record.length)
                                    .array();
            parts[i] = join(head, record);
        }
        byte[] head = count < 16 && random.nextInt(10) > 0
                ? new byte[] {(byte) (0x90 | count)}
                : ByteBuffer.allocate(3)
                        .put((byte) 0xdc)
                        .putShort((short) count)
                        .array();
        return join(topic("batch"), head, join(parts));
    }

    /** A record as a map, of one of few types with some keys, or with keys in any order. */
    private byte[] record() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int type = random.nextInt(4);
        boolean isRare = random.nextInt(20) == 0;
        int keys = isRare ? random.nextInt(KEYS.length) : 3 + type;
        out.write(0x80 | keys + 1);
        string(out, "event_type");
        string(out, "sample.type" + type);
        for (int i = 0; i < keys; i++) {
            string(out, KEYS[isRare ? random.nextInt(KEYS.length) : i]);
            value(out, isRare ? random.nextInt(12) : i < 2 ? i : (type + i) % 10);
        }
        return out.toByteArray();
    }

    private void value(ByteArrayOutputStream out, int kind) {
        switch (kind) {
            case 0 -> {
                time += random.nextInt(100_000) - 10_000;
                out.write(0xcf);
                out.writeBytes(ByteBuffer.allocate(8)
                        .putLong(random.nextInt(50) == 0 ? random.nextLong() : time)
                        .array());
            }
            case 1 -> id(out);
            case 2 -> out.write(0xa0);
            case 3 -> out.write(0xc0);
            case 4 -> {
                out.write(0xce);
                out.writeBytes(ByteBuffer.allocate(4).putInt(random.nextInt()).array());
            }
            case 5 -> {
                out.write(0xcd);
                out.writeBytes(ByteBuffer.allocate(2)
                        .putShort((short) random.nextInt())
                        .array());
            }
            case 6 -> out.write(random.nextInt(0x80));
            case 7 -> string(out, "stop ".repeat(random.nextInt(6)).strip());
            case 8 -> {
                int parts = random.nextInt(5);
                out.write(0x90 | parts);
                for (int i = 0; i < parts; i++) {
                    string(out, "text " + random.nextInt(1000));
                }
            }
            case 9 -> {
                byte[] text = "the answer is ".repeat(1 + random.nextInt(40)).getBytes(StandardCharsets.US_ASCII);
                out.write(0xda);
                out.writeBytes(
                        ByteBuffer.allocate(2).putShort((short) text.length).array());
                out.writeBytes(text);
            }
            case 10 -> {
                out.write(0xcb);
                out.writeBytes(noise(8));
            }
            default -> out.writeBytes(noise(1 + random.nextInt(3)));
        }
    }

    /** One of few ids that repeat, most of them as 32 digits. */
    private void id(ByteArrayOutputStream out) {
        if (ids.size() < 30) {
            StringBuilder id = new StringBuilder();
            for (int i = 0; i < 32; i++) {
                id.append(Character.forDigit(random.nextInt(16), 16));
            }
            ids.add((random.nextInt(5) == 0 ? id.toString().toUpperCase(java.util.Locale.ROOT) : id.toString())
                    .getBytes(StandardCharsets.US_ASCII));
        }
        byte[] id = ids.get(random.nextInt(ids.size()));
        out.write(0xd9);
        out.write(id.length);
        out.writeBytes(id);
    }

    private static void string(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length < 32) {
            out.write(0xa0 | bytes.length);
        } else {
            out.write(0xd9);
            out.write(bytes.length);
        }
        out.writeBytes(bytes);
    }

    /** A later chunk as a client with numbers writes it: the life of its process is the same in each, and as long as a time. */
    static byte[] ofClient(int number) {
        return ofClient(number, null);
    }

    /** The same with the name of its source, unless that is null. */
    static byte[] ofClient(int number, @Nullable String source) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(source == null ? 0x85 : 0x86);
        string(out, "event_type");
        string(out, "sample.recv_non_first");
        string(out, "timestamp_ns");
        out.write(0xcf);
        out.writeBytes(ByteBuffer.allocate(8)
                .putLong(5_000_000_000L + 40_000L * number)
                .array());
        string(out, "sample_uuid");
        out.write(0xd9);
        out.write(32);
        out.writeBytes("%032x".formatted(number % 5).getBytes(StandardCharsets.US_ASCII));
        if (source != null) {
            string(out, "source_id");
            string(out, source);
        }
        string(out, "seq");
        out.write(0xcd);
        out.writeBytes(ByteBuffer.allocate(2).putShort((short) (1000 + number)).array());
        string(out, "life");
        out.write(0xcf);
        out.writeBytes(
                ByteBuffer.allocate(8).putLong(1_790_000_000_000_000_000L).array());
        return out.toByteArray();
    }

    /** A frame of chunks of one producer within ten milliseconds, as this project's encoder writes it. */
    static byte[] chunks(Random random, int count, boolean hasTokens) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0x99);
        out.write(1);
        string(out, "node-1:4711");
        out.write(7);
        out.write(random.nextInt(0x80));
        out.write(0xcf);
        out.writeBytes(ByteBuffer.allocate(8).putLong(random.nextLong() >>> 1).array());
        ByteBuffer handles = ByteBuffer.allocate(2 * count).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer offsets = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
        int offset = 0;
        for (int i = 0; i < count; i++) {
            handles.putShort((short) random.nextInt());
            offsets.putInt(offset);
            offset += random.nextInt(20_000_000 / count);
        }
        for (byte[] column :
                new byte[][] {handles.array(), offsets.array(), hasTokens ? handles.array() : null, null}) {
            if (column == null) {
                out.write(0xc0);
            } else {
                out.write(0xc5);
                out.writeBytes(
                        ByteBuffer.allocate(2).putShort((short) column.length).array());
                out.writeBytes(column);
            }
        }
        return join(topic("chunks"), out.toByteArray());
    }

    /** A frame of one record. */
    static byte[] single(byte[] record) {
        return join(topic("sample"), record);
    }

    /** A later chunk of an answer, as the encoder of this project writes it. */
    static byte[] chunk(String id, long nanos) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0x86);
        string(out, "event_type");
        string(out, "sample.recv_non_first");
        string(out, "timestamp_ns");
        out.write(0xcf);
        out.writeBytes(ByteBuffer.allocate(8).putLong(nanos).array());
        string(out, "sample_uuid");
        out.write(0xd9);
        out.write(id.length());
        out.writeBytes(id.getBytes(StandardCharsets.US_ASCII));
        for (String key : new String[] {"conversation_id", "turn", "data"}) {
            string(out, key);
            out.write(key.equals("conversation_id") ? 0xa0 : 0xc0);
        }
        return out.toByteArray();
    }

    /** A frame of records with the shortest heads. */
    static byte[] batch(List<byte[]> records) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(topic("batch"));
        out.write(0xdc);
        out.write(records.size() >>> 8);
        out.write(records.size());
        for (byte[] record : records) {
            out.write(0xc4);
            out.write(record.length);
            out.writeBytes(record);
        }
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
