package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The decoder of the usual layout beside the general one: both must give the same result on any bytes. */
final class BothDecoders {
    static final int MARGIN = 5;

    private final EventDecoder decoder = new EventDecoder();
    /** Reused, so that a value left over from one record would show in the next. */
    private final DecodedEvent fast = new DecodedEvent();

    private final ByteBuffer among = ByteBuffer.allocateDirect(1 << 16);

    private final Map<Long, String> sources = new HashMap<>();

    /** Decodes in both ways, at the end of a direct buffer and within it; returns the general result. */
    @Nullable
    Malformation checked(byte[] bytes, Random random) {
        int start = random.nextInt(MARGIN);
        among.clear().put(0, bytes, 0, bytes.length).put(start, bytes);
        // The bytes behind the record are valid msgpack: a decoder that read them would not fail.
        for (int i = 0; i < MARGIN; i++) {
            among.put(start + bytes.length + i, (byte) 0xc0);
        }
        among.limit(start + bytes.length + (random.nextBoolean() ? 0 : MARGIN));
        DecodedEvent general = new DecodedEvent();
        Malformation expected = decoder.decodeAny(among, start, bytes.length, general);
        Malformation actual = decoder.decode(among, start, bytes.length, fast);
        String record = HexFormat.of().formatHex(bytes);
        assertThat(actual).as(record).isEqualTo(expected);
        if (expected == null) {
            assertThat(describe(fast)).as(record).isEqualTo(describe(general));
            assertThat(general.sourceRun()).isZero();
            if (fast.sourceRun() != 0) {
                String source = hex(fast.copySource(300));
                assertThat(source).isNotEmpty();
                assertThat(sources.computeIfAbsent(fast.sourceRun(), run -> source))
                        .as(record)
                        .isEqualTo(source);
            }
        }
        return expected;
    }

    private static String describe(DecodedEvent event) {
        byte[] data = new byte[event.dataLength()];
        event.copyData(ByteBuffer.wrap(data), 0);
        List<Object> all = new ArrayList<>(Arrays.asList(
                event.type(),
                event.hasTimestamp(),
                event.timestampNanos(),
                event.idKind(),
                event.idHigh(),
                event.idLow()));
        all.addAll(Arrays.asList(
                event.idLength(),
                hex(event.copyIdText()),
                event.finishReason(),
                event.hasWorkerId(),
                event.hasSequence()));
        all.addAll(Arrays.asList(
                event.hasWorkerId() ? event.workerId() : "",
                event.hasSequence() ? event.sequence() : "",
                event.hasScheduled() ? event.scheduledNanos() : "",
                event.life(),
                hex(event.copySource(300))));
        all.addAll(Arrays.asList(event.dataKind(), hex(data), event.tokenIdCount(), event.announcedSuperPassSize()));
        all.addAll(Arrays.asList(hex(event.copyErrorType(100)), event.errorMessage(100)));
        all.add(event.dataKind() == DecodedEvent.DataKind.TEXT_MODEL_OUTPUT && event.hasReasoning());
        DecodedConversation conversation = event.conversation();
        all.addAll(Arrays.asList(
                conversation.isPresent() ? conversation.hash(1) : "",
                conversation.isFirstTurn(),
                conversation.isLastTurn(),
                conversation.isLastTurnRejected()));
        all.addAll(Arrays.asList(
                event.part(), event.hasChunkTokens() ? event.chunkTokens() : "", event.areChunkKeysRejected()));
        all.addAll(Arrays.asList(event.hasUsage() ? event.usage().toUsage() : "", event.isUsageRejected()));
        all.addAll(Arrays.asList(
                event.hasLabels() ? event.labels().toMap() : "", event.areLabelsRejected(), event.handle()));
        return all.toString();
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Requires that a record is read to its end without the general decoder. */
    void requireUsual(byte[] bytes) {
        among.clear().put(MARGIN, bytes);
        OrderedKeysDecoder layout = new OrderedKeysDecoder(7);
        assertThat(layout.read(among, MARGIN, bytes.length, fast))
                .as(hex(bytes))
                .isEqualTo(MARGIN + bytes.length);
    }

    /** Checks a record with each of its bytes replaced by any other. */
    void everyByte(byte[] bytes, Random random) {
        for (int at = 0; at < bytes.length; at++) {
            byte[] changed = bytes.clone();
            for (int value = 0; value < 256; value++) {
                changed[at] = (byte) value;
                checked(changed, random);
            }
        }
    }

    /** Checks that a record is malformed if it ends earlier, and if another pair follows. */
    void requireWhole(byte[] whole) {
        assertThat(decoder.decode(ByteBuffer.wrap(whole), 0, whole.length, fast))
                .isNull();
        for (int length = whole.length - 1; length >= 0; length--) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThat(decoder.decode(ByteBuffer.wrap(cut), 0, length, fast))
                    .as("%d bytes of %s", length, hex(whole))
                    .isEqualTo(Malformation.TRUNCATED);
        }
        byte[] more = Arrays.copyOf(whole, whole.length + 5);
        System.arraycopy(new byte[] {(byte) 0xa3, 's', 'e', 'q', 1}, 0, more, whole.length, 5);
        assertThat(decoder.decode(ByteBuffer.wrap(more), 0, more.length, fast))
                .as("a pair more than announced")
                .isEqualTo(Malformation.TRAILING_BYTES);
    }
}
