package io.metricsaggregator.benchmarks;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.frame.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * A pre-encoded stream of streamed samples: each is issued with a prompt, received in three chunks, and completed with its text, in five
 * records of 233 bytes on average. Samples overlap so that a given number is in flight.
 */
final class Workload {
    /** Number of a source's first record; like all later ones it takes four bytes. */
    private static final int FIRST_SEQUENCE = 70_000;

    /** Number of records per sample. */
    static final int RECORDS_PER_SAMPLE = 5;

    private static final int TEXT_BYTES = 210;
    private static final int LABEL_VALUES = 16;
    private static final long FIRST_NANOS = 1_000_000_000_000_000L;
    static final long STEP_NANOS = 10_000;
    private static final String ID = "00000000000000000000000000000000";
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final long samples;
    private final int inFlight;
    private final Template[][] templates;

    /** Whose records they look like. */
    enum Writer {
        /** MLCommons' producers: every key, and neither number nor life. */
        MLCOMMONS,
        /** The Python client: without absent keys, with its source, numbers and its life. */
        PYTHON,
        /** {@code EventPublisher}, by which {@code produce}, the importers and the proxy send: every key, worker, number and life. */
        JAVA
    }

    /** Creates a stream of plain samples in which {@code inFlight} are in flight. */
    Workload(long samples, int inFlight) {
        this(samples, inFlight, Traits.NONE);
    }

    /** Creates a stream in which {@code inFlight} samples are in flight, with the workers and labels of {@code traits}. */
    Workload(long samples, int inFlight, Traits traits) {
        this(samples, inFlight, traits, Writer.MLCOMMONS);
    }

    /** As {@link #Workload(long, int, Traits)}, as some client writes records. */
    Workload(long samples, int inFlight, Traits traits, Writer writer) {
        this.samples = samples;
        this.inFlight = Math.max(4, inFlight);
        String text = "the quick brown fox jumps over the lazy dog ".repeat(10).substring(0, TEXT_BYTES);
        int half = TEXT_BYTES / 2;
        TextModelOutput answer = new TextModelOutput(
                new ModelText.Chunks(List.of(text.substring(0, half), text.substring(half))), null, null);
        List<EventRecord> records = List.of(
                EventRecord.sample(EventType.SAMPLE_ISSUED, FIRST_NANOS, ID).withData(PromptData.ofText(text)),
                EventRecord.sample(EventType.SAMPLE_RECV_FIRST, FIRST_NANOS, ID),
                EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, FIRST_NANOS, ID),
                EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, FIRST_NANOS, ID),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, FIRST_NANOS, ID).withData(answer));
        int variants = Math.max(traits.labels() > 0 ? LABEL_VALUES : 1, traits.workers());
        this.templates = new Template[variants][];
        for (int i = 0; i < variants; i++) {
            int variant = i;
            templates[i] = records.stream()
                    .map(each -> new Template(variant(each, traits, variant), writer))
                    .toArray(Template[]::new);
        }
    }

    private static EventRecord variant(EventRecord record, Traits traits, int variant) {
        Map<String, String> labels = new TreeMap<>();
        for (int i = 0; i < traits.labels() && record.type() == EventType.SAMPLE_ISSUED; i++) {
            labels.put("label-" + i, "value-" + (variant + i) % LABEL_VALUES);
        }
        EventRecord from = new EventRecord(
                record.type(),
                record.timestampNanos(),
                record.sampleUuid(),
                record.conversationId(),
                record.turn(),
                record.data(),
                record.finishReason(),
                traits.workers() > 0 ? Long.valueOf(variant % traits.workers()) : null,
                record.sequence(),
                record.scheduledNanos(),
                record.life(),
                record.optional());
        return labels.isEmpty() ? from : from.withLabels(labels);
    }

    /** A record whose id and time are filled in for each sample. */
    private static final class Template {
        private static final EventEncoder ENCODER = new EventEncoder();
        /** The key seq and the header of a number of four bytes. */
        private static final String SEQUENCE_KEY = "\u00a3seq\u00ce";

        private static final long LIFE = 1_700_000_000_000_000_000L;

        final byte[] bytes;
        final String topic;
        private final int idAt;
        private final int timeAt;
        /** Where its sequence number is; below the length of its key if it has none. */
        private final int sequenceAt;

        Template(EventRecord record, Writer writer) {
            bytes = switch (writer) {
                case MLCOMMONS -> ENCODER.encode(record);
                case PYTHON -> withSource(ENCODER.encodePresent(record, null, null));
                case JAVA ->
                    ENCODER.encode(record.from(3L, (long) FIRST_SEQUENCE).inLife(LIFE));
            };
            topic = record.type().wireName();
            String latin = new String(bytes, StandardCharsets.ISO_8859_1);
            idAt = latin.indexOf(ID);
            timeAt = latin.indexOf("timestamp_ns") + "timestamp_ns".length() + 1;
            sequenceAt = latin.indexOf(SEQUENCE_KEY) + SEQUENCE_KEY.length();
        }

        private static byte[] withSource(byte[] record) {
            try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
                // The Python client writes the long header of a map, whatever the number of its pairs.
                packer.addPayload(new byte[] {(byte) 0xde, 0, (byte) ((record[0] & 0xf) + 3)});
                packer.addPayload(record, 1, record.length - 1);
                packer.packString("source_id").packString("llm-bench-worker-7d9f8b6c5-x2x9k:4711:9f3c2a1b");
                packer.packString("seq").packLong(FIRST_SEQUENCE);
                packer.packString("life").packLong(LIFE);
                return packer.toByteArray();
            } catch (IOException e) {
                throw new UncheckedIOException("packing into memory", e);
            }
        }

        void fill(long sample, long nanos, int sequence) {
            ByteBuffer.wrap(bytes).putLong(timeAt, nanos);
            if (sequenceAt >= SEQUENCE_KEY.length()) {
                ByteBuffer.wrap(bytes).putInt(sequenceAt, sequence);
            }
            hex(mix(sample), idAt);
            hex(mix(~sample), idAt + 16);
        }

        private void hex(long value, int at) {
            for (int i = 0; i < 16; i++) {
                bytes[at + i] = HEX[(int) (value >>> (60 - 4 * i)) & 0xf];
            }
        }
    }

    /** SplitMix64's finaliser: unique ids that look random. */
    private static long mix(long number) {
        long z = number * GOLDEN_GAMMA;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Receives the records of the stream in order; the array is reused for the next record. */
    interface RecordConsumer {
        void accept(String topic, byte[] record);
    }

    /** Generates all records. */
    void forEach(RecordConsumer consumer) {
        int stages = RECORDS_PER_SAMPLE;
        int sequence = FIRST_SEQUENCE;
        for (long step = 0; step < samples + inFlight; step++) {
            for (int stage = 0; stage < stages; stage++) {
                long sample = step - (long) stage * inFlight / (stages - 1);
                if (sample >= 0 && sample < samples) {
                    // Up to 2 ms, less than between two stages: latencies differ, and time never runs backwards.
                    long noise = stage == 0 ? 0 : mix(sample * stages + stage) >>> 43;
                    Template template = templates[(int) (sample % templates.length)][stage];
                    template.fill(sample, FIRST_NANOS + step * STEP_NANOS + noise, sequence++);
                    consumer.accept(template.topic, template.bytes);
                }
            }
        }
    }

    /** Returns the number of records. */
    long records() {
        return samples * RECORDS_PER_SAMPLE;
    }

    /** Returns the frame that starts the session and its tracked window, in ZMTP framing. */
    static ByteBuffer opening() {
        Framing framing = new Framing(1);
        EventEncoder encoder = new EventEncoder();
        for (EventType type : List.of(EventType.SESSION_STARTED, EventType.SESSION_START_PERFORMANCE_TRACKING)) {
            framing.accept(type.wireName(), encoder.encode(EventRecord.session(type, FIRST_NANOS)));
        }
        return framing.finish().get(0);
    }

    /** Returns the frame that ends the session. */
    static ByteBuffer ending() {
        Framing framing = new Framing(1);
        EventType type = EventType.SESSION_ENDED;
        framing.accept(type.wireName(), new EventEncoder().encode(EventRecord.session(type, FIRST_NANOS)));
        return framing.finish().get(0);
    }

    /** Returns the stream in ZMTP framing, in frames of {@code batch} records; 1 sends each record under its own topic. */
    List<ByteBuffer> frames(int batch) {
        Framing framing = new Framing(batch);
        forEach(framing);
        return framing.finish();
    }

    /** Packs records into one batch, in ZMTP framing. */
    static ByteBuffer batch(List<byte[]> records) {
        int length = Topic.LENGTH
                + 5
                + records.stream().mapToInt(each -> each.length + 5).sum();
        ByteBuffer out = ByteBuffer.allocate(9 + length);
        out.put((byte) 2)
                .putLong(length)
                .put(Topic.pad(Topic.BATCH))
                .put((byte) 0xdd)
                .putInt(records.size());
        records.forEach(each -> out.put((byte) 0xc6).putInt(each.length).put(each));
        return out.flip();
    }

    /** Packs records into ZMTP frames in direct memory. */
    private static final class Framing implements RecordConsumer {
        private static final int BUFFER_BYTES = 64 << 20;

        private final int batch;
        private final List<ByteBuffer> full = new ArrayList<>();
        private final ByteBuffer elements = ByteBuffer.allocate(1 << 20);
        private ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
        private int count;

        Framing(int batch) {
            this.batch = batch;
        }

        @Override
        public void accept(String topic, byte[] record) {
            if (batch == 1) {
                frame(topic, ByteBuffer.wrap(record), 0);
                return;
            }
            elements.put((byte) 0xc5).putShort((short) record.length).put(record);
            if (++count == batch) {
                flush();
            }
        }

        private void flush() {
            if (count > 0) {
                elements.flip();
                frame(Topic.BATCH, elements, count);
                elements.clear();
                count = 0;
            }
        }

        private void frame(String topic, ByteBuffer payload, int arrayOf) {
            int length = Topic.LENGTH + (arrayOf > 0 ? 3 : 0) + payload.remaining();
            if (out.remaining() < length + 9) {
                out.flip();
                full.add(out);
                out = ByteBuffer.allocateDirect(BUFFER_BYTES);
            }
            if (length < 256) {
                out.put((byte) 0).put((byte) length);
            } else {
                out.put((byte) 2).putLong(length);
            }
            out.put(Topic.pad(topic));
            if (arrayOf > 0) {
                out.put((byte) 0xdc).putShort((short) arrayOf);
            }
            out.put(payload);
        }

        List<ByteBuffer> finish() {
            flush();
            out.flip();
            full.add(out);
            return full;
        }
    }
}
