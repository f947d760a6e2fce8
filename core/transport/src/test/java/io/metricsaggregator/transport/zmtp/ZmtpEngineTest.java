package io.metricsaggregator.transport.zmtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol engine without a socket: bytes in, frames and replies out. */
class ZmtpEngineTest {
    private final Log log = new Log();

    @Test
    void aSubscriberSendsGreetingReadySubscriptionAndPing() {
        ZmtpEngine engine = engine(SocketType.SUB, 1);
        byte[] own = greeting(1, "NULL");
        own[8] = 0; // The byte has no meaning; libzmq writes 1.
        assertThat(answers(engine)).isEqualTo(own);
        feed(engine, greeting(1, "NULL"));
        assertThat(HexFormat.of().formatHex(answers(engine)))
                .isEqualTo("0419" + "055245414459" + "0b536f636b65742d5479706500000003535542");
        feed(engine, ready("PUB"));
        engine.subscribe(new byte[0]);
        engine.ping();
        assertThat(engine.isReady()).isTrue();
        assertThat(HexFormat.of().formatHex(answers(engine)))
                .isEqualTo("040a" + "09535542534352494245" + "0407" + "0450494e470000");
    }

    @Test
    void toAZmtp30PeerItSubscribesWithAMessage() {
        ZmtpEngine engine = shaken(SocketType.SUB, 0, "PUB");
        engine.subscribe(new byte[] {'a', 'b'});
        assertThat(HexFormat.of().formatHex(answers(engine))).isEqualTo("0003016162");
    }

    @Test
    void messagesWithShortAndLongHeadersAreDeliveredWithoutACopy() {
        ZmtpEngine engine = shaken(SocketType.SUB, 1, "PUB");
        byte[] longOne = message(new byte[300]);
        assertThat(longOne[0]).isEqualTo((byte) 2);
        feed(engine, concat(message(new byte[0]), message(new byte[] {1, 2}), longOne));
        assertThat(log.messages).extracting(message -> message.length).containsExactly(0, 2, 300);
    }

    @Test
    void aShortMessageMayHaveALongHeader() {
        ZmtpEngine engine = shaken(SocketType.SUB, 1, "PUB");
        feed(engine, HexFormat.of().parseHex("02" + "0000000000000001" + "07"));
        assertThat(log.messages).hasSize(1);
    }

    @Test
    void partsOfAMultipartMessageAreDeliveredAsFrames() {
        ZmtpEngine engine = shaken(SocketType.SUB, 1, "PUB");
        feed(engine, HexFormat.of().parseHex("0101aa" + "0001bb"));
        assertThat(log.messages).hasSize(2);
    }

    @Test
    void everySplitOfAStreamYieldsTheSameEvents() {
        byte[] stream = concat(
                greeting(1, "NULL"),
                ready("PUB"),
                message("one".getBytes(StandardCharsets.UTF_8)),
                command("PING", new byte[] {0, 10, 1, 2, 3}),
                message(new byte[700]),
                message(new byte[0]),
                command("LATER", new byte[5]));
        shaken(SocketType.SUB, 1, "PUB");
        List<String> expected = run(stream, stream.length);
        assertThat(expected).contains("ready", "message 3", "message 700", "message 0");
        for (int chunk = 1; chunk <= 70; chunk++) {
            assertThat(run(stream, chunk)).isEqualTo(expected);
        }
        for (int cut = 1; cut < stream.length; cut++) {
            Log seen = new Log();
            ZmtpEngine engine = new ZmtpEngine(SocketType.SUB, 1, 1000, seen);
            ByteBuffer buffer = ByteBuffer.wrap(stream);
            int position = engine.receive(buffer, 0, cut);
            engine.receive(buffer, position, stream.length);
            assertThat(seen.events).isEqualTo(expected);
        }
    }

    private static List<String> run(byte[] stream, int chunk) {
        Log seen = new Log();
        ZmtpEngine engine = new ZmtpEngine(SocketType.SUB, 1, 1000, seen);
        ByteBuffer buffer = ByteBuffer.wrap(stream);
        int position = 0;
        for (int end = Math.min(chunk, stream.length); ; end = Math.min(end + chunk, stream.length)) {
            position = engine.receive(buffer, position, end);
            if (end == stream.length) {
                return seen.events;
            }
        }
    }

    @Test
    void aPingIsAnsweredWithItsContext() {
        ZmtpEngine engine = shaken(SocketType.SUB, 1, "PUB");
        feed(engine, command("PING", new byte[] {0, 10, 'h', 'i'}));
        assertThat(answers(engine)).isEqualTo(command("PONG", new byte[] {'h', 'i'}));
    }

    @Test
    void aPublisherAcceptsSubscriptionsAsCommandsAndMessages() {
        ZmtpEngine engine = shaken(SocketType.PUB, 1, "SUB");
        feed(engine, command("SUBSCRIBE", new byte[] {'a'}));
        feed(engine, message(new byte[] {1, 'b'}));
        feed(engine, command("CANCEL", new byte[] {'a'}));
        feed(engine, message(new byte[] {0, 'b'}));
        assertThat(log.events).containsSubsequence("subscribe a", "subscribe b", "cancel a", "cancel b");
        assertThat(engine.error()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        // A telnet user, a ZMTP 1 peer (length, flags, identity), and a ZMTP 2 peer.
        "474554202f,                           NOT_ZMTP",
        "0100,                                 NOT_ZMTP",
        "ff00000000000000017e,                 NOT_ZMTP",
        "ff00000000000000017f01,               OLD_VERSION",
        "ff00000000000000017f02,               OLD_VERSION"
    })
    void aPeerWithoutZmtp3IsRejectedAtItsFirstBytes(String hex, ProtocolError expected) {
        ZmtpEngine engine = engine(SocketType.SUB, 1);
        feed(engine, HexFormat.of().parseHex(hex));
        assertThat(engine.error()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CURVE", "PLAIN", "", "NULLX"})
    void anotherSecurityMechanismIsRejected(String mechanism) {
        ZmtpEngine engine = engine(SocketType.SUB, 1);
        feed(engine, greeting(1, mechanism));
        assertThat(engine.error()).isEqualTo(ProtocolError.OTHER_MECHANISM);
    }

    @ParameterizedTest
    @CsvSource({
        "000101,                               NOT_READY",
        "04050450494e47,                       NOT_READY",
        "0400,                                 BAD_COMMAND",
        "040105,                               BAD_COMMAND",
        "0403ff4141,                           BAD_COMMAND",
        "0408055245414459ff41,                 BAD_COMMAND",
        "040a05524541445903ffffff,             BAD_COMMAND",
        "041305524541445904747970657fffffff50554200,   BAD_COMMAND",
        "06ffffffffffffffff,                   FRAME_TOO_LARGE",
        "067fffffffffffffff,                   FRAME_TOO_LARGE",
        "060000000000010000,                   FRAME_TOO_LARGE",
        "0800,                                 BAD_FLAGS",
        "0500,                                 BAD_FLAGS"
    })
    void aFailedHandshakeReportsItsReason(String hex, ProtocolError expected) {
        ZmtpEngine engine = engine(SocketType.SUB, 1);
        feed(engine, greeting(1, "NULL"));
        feed(engine, HexFormat.of().parseHex(hex));
        assertThat(engine.error()).isEqualTo(expected);
        assertThat(engine.isReady()).isFalse();
    }

    @Test
    void aPeerWithTheWrongSocketTypeIsRejectedByName() {
        ZmtpEngine engine = shaken(SocketType.SUB, 1, "DEAL\u0007ER");
        assertThat(engine.error()).isEqualTo(ProtocolError.WRONG_SOCKET_TYPE);
        assertThat(engine.errorDetail()).isEqualTo("DEAL?ER");
    }

    @Test
    void anErrorCommandIsQuoted() {
        ZmtpEngine engine = engine(SocketType.SUB, 1);
        feed(engine, greeting(1, "NULL"));
        feed(engine, command("ERROR", new byte[] {3, 'n', 'o', '!'}));
        assertThat(engine.error()).isEqualTo(ProtocolError.REFUSED);
        assertThat(engine.errorDetail()).isEqualTo("no!");
    }

    @ParameterizedTest
    @ValueSource(strings = {"02ffffffffffffffff", "028000000000000000", "027fffffffffffffff", "0200000000000003e9"})
    void aMessageThatDeclaresMoreThanTheLimitClosesTheConnectionBeforeItsFirstByte(String header) {
        ZmtpEngine engine = shaken(SocketType.SUB, 1, "PUB");
        feed(engine, HexFormat.of().parseHex(header));
        assertThat(engine.error()).isEqualTo(ProtocolError.FRAME_TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0405" + "0450494e47", "0406" + "0450494e4700", "041c" + "0450494e47"})
    void aPingWithoutItsTimeOrWithTooMuchContextIsMalformed(String hex) {
        ZmtpEngine engine = shaken(SocketType.SUB, 1, "PUB");
        byte[] bytes =
                Arrays.copyOf(HexFormat.of().parseHex(hex), 2 + (hex.startsWith("041c") ? 28 : hex.length() / 2 - 2));
        feed(engine, bytes);
        assertThat(engine.error()).isEqualTo(ProtocolError.BAD_COMMAND);
    }

    @Test
    void aPeerThatPingsAndNeverReadsIsDisconnected() {
        ZmtpEngine engine = shaken(SocketType.SUB, 1, "PUB");
        byte[] ping = command("PING", new byte[18]);
        for (int i = 0; i < 10_000 && engine.error() == null; i++) {
            feed(engine, ping);
        }
        assertThat(engine.error()).isEqualTo(ProtocolError.CONTROL_FLOOD);
    }

    @Test
    void aPublisherRejectsMessagesOtherThanSubscriptions() {
        ZmtpEngine engine = shaken(SocketType.PUB, 1, "SUB");
        feed(engine, message(new byte[] {7}));
        assertThat(engine.error()).isEqualTo(ProtocolError.UNEXPECTED_MESSAGE);
    }

    @Test
    void randomBytesNeverCauseAnExceptionOrAReadOutsideTheInput() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("ZmtpEngineTest seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        byte[] valid = concat(greeting(1, "NULL"), ready("PUB"), message(new byte[20]), command("PING", new byte[4]));
        for (int round = 0; round < 100_000; round++) {
            byte[] bytes = valid.clone();
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            ZmtpEngine engine = new ZmtpEngine(SocketType.values()[random.nextInt(3)], 1, 1000, new Log());
            int end = random.nextInt(bytes.length + 1);
            // The limit of the buffer is the end of the input, so that a read beyond it would throw.
            ByteBuffer exact = ByteBuffer.wrap(Arrays.copyOf(bytes, end));
            int position = engine.receive(exact, 0, end);
            assertThat(position).isBetween(0, Math.max(end, 1));
        }
    }

    private ZmtpEngine engine(SocketType type, int minor) {
        return new ZmtpEngine(type, minor, 1000, log);
    }

    private ZmtpEngine shaken(SocketType type, int peerMinor, String peerType) {
        ZmtpEngine engine = engine(type, 1);
        feed(engine, greeting(peerMinor, "NULL"));
        feed(engine, ready(peerType));
        answers(engine);
        return engine;
    }

    private static void feed(ZmtpEngine engine, byte[] bytes) {
        int consumed = engine.receive(ByteBuffer.wrap(bytes), 0, bytes.length);
        if (engine.error() == null) {
            assertThat(consumed).isEqualTo(bytes.length);
        }
    }

    private static byte[] answers(ZmtpEngine engine) {
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        engine.takeControl(buffer);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    static byte[] greeting(int minor, String mechanism) {
        byte[] greeting = new byte[64];
        greeting[0] = (byte) 0xff;
        greeting[8] = 1;
        greeting[9] = 0x7f;
        greeting[10] = 3;
        greeting[11] = (byte) minor;
        byte[] name = mechanism.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(name, 0, greeting, 12, name.length);
        return greeting;
    }

    static byte[] ready(String type) {
        byte[] value = type.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer body = ByteBuffer.allocate(12 + 4 + value.length + 9 + 4);
        body.put((byte) 11).put("Socket-Type".getBytes(StandardCharsets.US_ASCII));
        body.putInt(value.length).put(value);
        body.put((byte) 8).put("Identity".getBytes(StandardCharsets.US_ASCII)).putInt(0);
        return command("READY", body.array());
    }

    static byte[] command(String name, byte[] body) {
        byte[] command = concat(new byte[] {(byte) name.length()}, name.getBytes(StandardCharsets.US_ASCII), body);
        return concat(new byte[] {4, (byte) command.length}, command);
    }

    static byte[] message(byte[] body) {
        ByteBuffer frame = ByteBuffer.allocate(9 + body.length);
        ZmtpFrames.putHeader(frame, 0, body.length);
        frame.put(body);
        return Arrays.copyOf(frame.array(), frame.position());
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static final class Log implements EngineListener {
        final List<String> events = new ArrayList<>();
        final List<byte[]> messages = new ArrayList<>();

        @Override
        public void onReady() {
            events.add("ready");
        }

        @Override
        public void onMessage(ByteBuffer buffer, int start, int length) {
            byte[] message = new byte[length];
            buffer.get(start, message);
            messages.add(message);
            events.add("message " + length);
        }

        @Override
        public void onSubscribe(byte[] prefix) {
            events.add("subscribe " + new String(prefix, StandardCharsets.UTF_8));
        }

        @Override
        public void onCancel(byte[] prefix) {
            events.add("cancel " + new String(prefix, StandardCharsets.UTF_8));
        }

        @Override
        public void onPong() {
            events.add("pong");
        }
    }
}
