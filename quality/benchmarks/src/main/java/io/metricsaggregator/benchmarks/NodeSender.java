package io.metricsaggregator.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * Sends the snapshots of simulated nodes, each over a connection of its own: {@code NodeSender ENDPOINT NODES BYTES FRAMES INTERVAL_MS}. Prints
 * {@code ready BYTES}, sends from {@code go} on until {@code end} comes on standard input, and prints {@code sent FRAMES LATE_MS}. The nodes send
 * one after another within an interval.
 */
final class NodeSender {
    /** Frames that wait for a slow reader; more are dropped, as a daemon does. */
    private static final int QUEUE_FRAMES = 16;

    private static final int LAST_REPETITIONS = 4;
    private static final long LAST_PAUSE_NANOS = 1_000_000_000L;

    private final NodeFrames.Sequence sequence;
    private final long intervalNanos;
    private final List<ZMQ.Socket> sockets = new ArrayList<>();
    private volatile boolean over;

    private NodeSender(NodeFrames.Sequence sequence, long intervalNanos) {
        this.sequence = sequence;
        this.intervalNanos = intervalNanos;
    }

    /** Runs the sender. */
    public static void main(String[] args) throws IOException {
        long interval = Long.parseLong(args[4]) * 1_000_000;
        NodeSender sender = new NodeSender(
                NodeFrames.simulate(Integer.parseInt(args[2]), Integer.parseInt(args[3]), interval), interval);
        try (ZContext context = new ZContext();
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                ZMQ.Socket socket = context.createSocket(SocketType.PUB);
                socket.setHWM(QUEUE_FRAMES);
                socket.setLinger(5_000);
                socket.connect(args[0]);
                sender.sockets.add(socket);
            }
            System.out.println("ready " + sender.sequence.live().get(0).length());
            in.readLine();
            Thread until = new Thread(() -> sender.awaitEnd(in), "end");
            until.setDaemon(true);
            until.start();
            sender.send();
        }
    }

    private void awaitEnd(BufferedReader in) {
        try {
            in.readLine();
        } catch (IOException e) {
            System.err.println("standard input failed: " + e.getMessage());
        }
        over = true;
    }

    private void send() {
        long start = System.nanoTime();
        long sent = 0;
        long latest = 0;
        int round = 0;
        int index = 0;
        while (!over && round < sequence.live().size()) {
            long due = start + round * intervalNanos + index * intervalNanos / sockets.size();
            long left = due - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(left);
                continue;
            }
            latest = Math.max(latest, -left);
            sent += send(index, sequence.live().get(round)) ? 1 : 0;
            if (++index == sockets.size()) {
                index = 0;
                round++;
            }
        }
        // A socket whose queue is full drops a frame without a word; a daemon has a place reserved for its last one.
        for (int repetition = 0; repetition < LAST_REPETITIONS; repetition++) {
            for (int i = 0; i < sockets.size(); i++) {
                send(i, sequence.last());
            }
            LockSupport.parkNanos(LAST_PAUSE_NANOS);
        }
        System.out.printf(Locale.ROOT, "sent %d %.1f%n", sent, latest / 1e6);
    }

    private boolean send(int node, NodeFrames.Template frame) {
        return sockets.get(node).send(frame.of(node), ZMQ.DONTWAIT);
    }
}
