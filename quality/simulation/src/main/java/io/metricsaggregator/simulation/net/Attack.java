package io.metricsaggregator.simulation.net;

import java.util.Arrays;
import java.util.SplittableRandom;

/** What a hostile peer sends to a socket that receives. */
public enum Attack {
    SILENCE(After.STAY),
    HALF_A_GREETING(After.STAY),
    HALF_A_HANDSHAKE(After.STAY),
    ENDED_IN_THE_GREETING(After.END),
    OTHER_PROTOCOL(After.BE_REFUSED),
    OLD_VERSION(After.BE_REFUSED),
    OTHER_MECHANISM(After.BE_REFUSED),
    MESSAGE_BEFORE_READY(After.BE_REFUSED),
    WRONG_SOCKET_TYPE(After.BE_REFUSED),
    READY_TOO_LONG(After.BE_REFUSED),
    UNDEFINED_FLAGS(After.BE_REFUSED),
    FRAME_TOO_LONG(After.BE_REFUSED),
    NEGATIVE_LENGTH(After.BE_REFUSED),
    MALFORMED_COMMAND(After.BE_REFUSED),
    ERROR(After.BE_REFUSED),
    PINGS_WITHOUT_READING(After.BE_REFUSED),
    ENDED_IN_A_FRAME(After.END),
    HALF_A_FRAME(After.KEEP),
    MOST_OF_A_LARGE_FRAME(After.KEEP);

    /** What it does behind its bytes, and what must happen to it. */
    enum After {
        /** It stays, and its handshake is not complete: it is disconnected when its time is over. */
        STAY,
        /** It ends its stream. */
        END,
        /** It stays, and is disconnected at once. */
        BE_REFUSED,
        /** It stays connected, which it may. */
        KEEP
    }

    private static final int PINGS = 2_000;
    private static final int LONG_COMMAND = 5_000;

    final After after;

    Attack(After after) {
        this.after = after;
    }

    /**
     * The bytes of this attack.
     *
     * @param frameMaxBytes the longest frame that the socket accepts
     */
    byte[] bytes(SplittableRandom chance, int frameMaxBytes) {
        byte[] hello = ZmtpBytes.hello("PUB");
        int command = ZmtpBytes.FLAG_COMMAND;
        return switch (this) {
            case SILENCE -> new byte[0];
            case HALF_A_GREETING, ENDED_IN_THE_GREETING -> Arrays.copyOf(hello, chance.nextInt(1, ZmtpBytes.GREETING));
            case HALF_A_HANDSHAKE -> Arrays.copyOf(hello, chance.nextInt(ZmtpBytes.GREETING, hello.length));
            case OTHER_PROTOCOL -> ZmtpBytes.ascii("GET / HTTP/1.1\r\n\r\n");
            case OLD_VERSION -> oldGreeting();
            case OTHER_MECHANISM -> ZmtpBytes.greeting("PLAIN");
            case MESSAGE_BEFORE_READY -> ZmtpBytes.join(ZmtpBytes.greeting("NULL"), ZmtpBytes.message(new byte[] {1}));
            case WRONG_SOCKET_TYPE -> ZmtpBytes.hello("REP");
            case READY_TOO_LONG ->
                ZmtpBytes.join(ZmtpBytes.greeting("NULL"), ZmtpBytes.frame(command, new byte[LONG_COMMAND]));
            case UNDEFINED_FLAGS -> ZmtpBytes.join(hello, new byte[] {(byte) (8 << chance.nextInt(5)), 1, 1});
            case FRAME_TOO_LONG -> ZmtpBytes.join(hello, ZmtpBytes.header(0, frameMaxBytes + 1L));
            case NEGATIVE_LENGTH -> ZmtpBytes.join(hello, ZmtpBytes.header(0, Long.MIN_VALUE));
            case MALFORMED_COMMAND -> ZmtpBytes.join(hello, ZmtpBytes.frame(command, new byte[] {9, 'P'}));
            case ERROR ->
                ZmtpBytes.join(ZmtpBytes.greeting("NULL"), ZmtpBytes.frame(command, ZmtpBytes.ascii("\5ERROR\2no")));
            case PINGS_WITHOUT_READING -> pings();
            case ENDED_IN_A_FRAME, HALF_A_FRAME ->
                ZmtpBytes.join(hello, ZmtpBytes.header(0, 5_000), new byte[chance.nextInt(5_000)]);
            case MOST_OF_A_LARGE_FRAME ->
                ZmtpBytes.join(hello, ZmtpBytes.header(0, frameMaxBytes), new byte[frameMaxBytes - 1]);
        };
    }

    private static byte[] oldGreeting() {
        byte[] greeting = ZmtpBytes.greeting("NULL");
        greeting[10] = 1;
        return greeting;
    }

    private static byte[] pings() {
        byte[][] all = new byte[PINGS + 2][];
        all[0] = ZmtpBytes.greeting31();
        all[1] = ZmtpBytes.ready("PUB");
        Arrays.fill(all, 2, all.length, ZmtpBytes.frame(ZmtpBytes.FLAG_COMMAND, ZmtpBytes.ascii("\4PING\0\1context")));
        return ZmtpBytes.join(all);
    }
}
