package io.metricsaggregator.transport.zmtp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the protocol of a connection from the greeting on. The first byte of an input selects the socket type of this side and the size of
 * the reads. Any read size must produce the same events, and no event may follow an error.
 */
public final class PeerTarget {
    private static final int MESSAGE_MAX_BYTES = 4096;
    private static final int ANSWERS_MAX_BYTES = 1 << 20;

    private PeerTarget() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        SocketType type = SocketType.values()[(input[0] & 0x0f) % SocketType.values().length];
        int chunk = 1 + (input[0] >>> 4 & 0x0f);
        Seen whole = run(type, input, input.length);
        Seen cut = run(type, input, chunk);
        if (!whole.events.equals(cut.events) || whole.error != cut.error) {
            throw new IllegalStateException("whole: " + whole.events + " " + whole.error + ", by " + chunk + ": "
                    + cut.events + " " + cut.error);
        }
    }

    private static Seen run(SocketType type, byte[] input, int chunk) {
        Seen seen = new Seen();
        ZmtpEngine engine = new ZmtpEngine(type, 1, type == SocketType.SUB ? MESSAGE_MAX_BYTES : 0, seen);
        seen.engine = engine;
        ByteBuffer buffer = ByteBuffer.wrap(input);
        ByteBuffer answers = ByteBuffer.allocate(ANSWERS_MAX_BYTES);
        int position = 1;
        int end = 1;
        while (end < input.length) {
            end = Math.min(end + chunk, input.length);
            position = engine.receive(buffer, position, end);
            if (position < 1 || position > end) {
                throw new IllegalStateException("consumed up to " + position + " of " + end);
            }
            answers.clear();
            engine.takeControl(answers);
        }
        seen.error = engine.error();
        return seen;
    }

    private static final class Seen implements EngineListener {
        final List<String> events = new ArrayList<>();

        @Nullable
        ProtocolError error;

        @Nullable
        ZmtpEngine engine;

        private void add(String event) {
            if (engine != null && engine.error() != null) {
                throw new IllegalStateException(event + " after " + engine.error());
            }
            events.add(event);
        }

        @Override
        public void onReady() {
            add("ready");
        }

        @Override
        public void onMessage(ByteBuffer buffer, int start, int length) {
            if (start < 0 || length < 0 || start > buffer.limit() - length || length > MESSAGE_MAX_BYTES) {
                throw new IllegalStateException("a message at " + start + " of " + length + " bytes");
            }
            add("message " + length);
        }

        @Override
        public void onSubscribe(byte[] prefix) {
            add("subscribe " + prefix.length);
        }

        @Override
        public void onCancel(byte[] prefix) {
            add("cancel " + prefix.length);
        }

        @Override
        public void onPong() {
            add("pong");
        }
    }
}
