package io.metricsaggregator.transport.jeromq;

import io.metricsaggregator.transport.TransportStats;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMsg;

/** Authenticates clients by their CURVE keys (rfc.zeromq.org/spec/27); without a handler JeroMQ accepts any key. */
final class ZapHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ZapHandler.class);
    private static final int REQUEST_FRAMES = 7;

    private final ZMQ.Socket socket;
    private final Set<String> allowed;
    private final TransportStats stats;
    private boolean logged;
    private long answered;
    private final Map<String, Admitted> admitted = new HashMap<>();

    /** The clients of one socket whose key is allowed. */
    static final class Admitted {
        private int clients;
        private long lastNanos;

        /** Whether {@code number} clients were admitted, the last of them more than {@code age} nanoseconds before {@code now}. */
        boolean is(int number, long age, long now) {
            return clients >= number && now - lastNanos > age;
        }
    }

    /** The admitted clients of the socket with a domain of authentication; the answers keep it up to date. */
    Admitted admitted(String domain) {
        return admitted.computeIfAbsent(domain, key -> new Admitted());
    }

    ZapHandler(ZContext context, Set<String> allowed, TransportStats stats) {
        this.allowed = allowed;
        this.stats = stats;
        this.socket = context.createSocket(SocketType.REP);
        socket.bind("inproc://zeromq.zap.01");
    }

    ZMQ.Socket socket() {
        return socket;
    }

    void answerAll() {
        ZMsg request = ZMsg.recvMsg(socket, ZMQ.DONTWAIT);
        while (request != null) {
            answer(request);
            request = ZMsg.recvMsg(socket, ZMQ.DONTWAIT);
        }
    }

    /** Number of peers that proved a key, allowed or not. */
    long answered() {
        return answered;
    }

    private void answer(ZMsg request) {
        answered++;
        byte[][] frames = request.stream().map(org.zeromq.ZFrame::getData).toArray(byte[][]::new);
        byte[] requestId = frames.length > 1 ? frames[1] : new byte[0];
        boolean accepted = frames.length == REQUEST_FRAMES
                && new String(frames[5], StandardCharsets.US_ASCII).equals("CURVE")
                && frames[6].length == ZMQ.Curve.KEY_SIZE
                && allowed.contains(ZMQ.Curve.z85Encode(frames[6]));
        if (accepted) {
            Admitted of = admitted(new String(frames[2], StandardCharsets.US_ASCII));
            of.clients++;
            of.lastNanos = System.nanoTime();
        } else {
            stats.peersRejectedUid++;
            if (!logged) {
                logged = true;
                LOG.warn("client refused: its CURVE key is not in --curve-allow. Further ones are only counted");
            }
        }
        ZMsg reply = new ZMsg();
        reply.add("1.0");
        reply.add(requestId);
        reply.add(accepted ? "200" : "400");
        reply.add(accepted ? "OK" : "key not allowed");
        reply.add("");
        reply.add("");
        reply.send(socket);
    }
}
