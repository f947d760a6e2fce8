package io.metricsaggregator.transport;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs a transport that cannot share a selector on a thread of its own, and hands its frames to the thread that polls this one.
 * Frames are copied once. When the owner is slow, the relay waits, and so do the peers.
 */
final class RelayTransport implements Transport {
    /** The relay stops receiving above this queue length; the frames of one turn may exceed it. */
    private static final int QUEUED_FRAMES = 1024;

    private static final long TURN_NANOS = 50_000_000L;
    private static final long OWNER_SLOW_NANOS = 100_000L;

    /** Creates the relayed transport; called on the thread that owns it. */
    interface Factory {
        Transport create() throws IOException;
    }

    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    private record Delivery(FrameHandler handler, byte[] frame) {}

    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<FutureTask<?>> tasks = new ConcurrentLinkedQueue<>();
    private final Runnable wakeOwner;
    private final Thread thread;
    private volatile @Nullable Transport inner;
    private volatile boolean closing;
    private volatile long lingerNanos;
    private volatile @Nullable IOException failure;

    RelayTransport(Factory factory, Runnable wakeOwner) throws IOException {
        this.wakeOwner = wakeOwner;
        FutureTask<Transport> created = new FutureTask<>(factory::create);
        this.thread = new Thread(() -> run(created), "relay");
        thread.setDaemon(true);
        thread.start();
        inner = get(created);
    }

    private void run(FutureTask<Transport> created) {
        created.run();
        Transport transport;
        try {
            transport = get(created);
        } catch (IOException e) {
            return; // The constructor throws it.
        }
        try {
            while (!closing) {
                runTasks();
                if (deliveries.size() < QUEUED_FRAMES) {
                    transport.poll(TURN_NANOS);
                } else {
                    LockSupport.parkNanos(OWNER_SLOW_NANOS);
                }
            }
            runTasks();
        } catch (IOException e) {
            failure = e;
            wakeOwner.run();
        } finally {
            transport.close(lingerNanos);
        }
    }

    private void runTasks() {
        FutureTask<?> task = tasks.poll();
        while (task != null) {
            task.run();
            task = tasks.poll();
        }
    }

    private <T> T call(Callable<T> action) throws IOException {
        FutureTask<T> task = new FutureTask<>(action);
        tasks.add(task);
        Transport transport = inner;
        if (transport != null) {
            transport.wakeup();
        }
        return get(task);
    }

    private static <T> T get(FutureTask<T> task) throws IOException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IOException("relay: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the relay");
        }
    }

    private Transport inner() {
        Transport transport = inner;
        if (transport == null) {
            throw new IllegalStateException("not opened");
        }
        return transport;
    }

    @Override
    public FrameSource openSource(List<Endpoint> endpoints, FrameHandler handler) throws TransportException {
        FrameHandler copying = FrameHandler.announcing(handler.announced(), (buffer, start, length) -> {
            byte[] frame = new byte[length];
            buffer.get(start, frame);
            deliver(new Delivery(handler, frame));
        });
        try {
            return new RelayedSource(call(() -> inner().openSource(endpoints, copying)));
        } catch (IOException e) {
            throw asTransportException(e);
        }
    }

    @Override
    public FrameSink openSink(List<Endpoint> endpoints, FrameSink.Kind kind) throws TransportException {
        try {
            return new RelayedSink(call(() -> inner().openSink(endpoints, kind)));
        } catch (IOException e) {
            throw asTransportException(e);
        }
    }

    private static TransportException asTransportException(IOException e) {
        return e instanceof TransportException same
                ? same
                : new TransportException(TransportException.Reason.UNAVAILABLE, String.valueOf(e.getMessage()), e);
    }

    private void deliver(Delivery delivery) {
        deliveries.add(delivery);
        wakeOwner.run();
    }

    @Override
    public int poll(long timeoutNanos) throws IOException {
        if (failure != null) {
            throw new IOException("relay: " + failure.getMessage(), failure);
        }
        List<Delivery> burst = new ArrayList<>();
        if (deliveries.drainTo(burst) == 0 && timeoutNanos > 0) {
            try {
                Delivery first = deliveries.poll(timeoutNanos, TimeUnit.NANOSECONDS);
                if (first != null) {
                    burst.add(first);
                    deliveries.drainTo(burst);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while polling");
            }
        }
        FrameHandler last = null;
        for (Delivery delivery : burst) {
            if (last != null && last != delivery.handler()) {
                last.onBurstEnd();
            }
            last = delivery.handler();
            last.onFrame(ByteBuffer.wrap(delivery.frame()), 0, delivery.frame().length);
        }
        if (last != null) {
            last.onBurstEnd();
        }
        return burst.size();
    }

    @Override
    public void wakeup() {
        wakeOwner.run();
    }

    /** The relayed transport's counts. Each is a single word that only the relay's thread writes. */
    @Override
    public TransportStats stats() {
        return inner().stats();
    }

    @Override
    public void close(long linger) {
        lingerNanos = linger;
        closing = true;
        inner().wakeup();
        try {
            thread.join(linger / 1_000_000L + 1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A source whose state is read on the relay's thread. */
    private final class RelayedSource implements FrameSource {
        private final FrameSource source;

        RelayedSource(FrameSource source) {
            this.source = source;
        }

        @Override
        public List<Endpoint> endpoints() {
            return source.endpoints();
        }

        @Override
        public boolean ready() {
            return ask(source::ready, false);
        }

        @Override
        public int peers() {
            return ask(source::peers, 0);
        }
    }

    private final class RelayedSink implements FrameSink {
        private final FrameSink sink;

        RelayedSink(FrameSink sink) {
            this.sink = sink;
        }

        @Override
        public List<Endpoint> endpoints() {
            return sink.endpoints();
        }

        @Override
        public boolean offer(byte[] frame) {
            return ask(() -> sink.offer(frame), false);
        }

        @Override
        public void offerLast(byte[] frame) {
            ask(
                    () -> {
                        sink.offerLast(frame);
                        return true;
                    },
                    false);
        }

        @Override
        public void repeatLast() {
            ask(
                    () -> {
                        sink.repeatLast();
                        return true;
                    },
                    false);
        }

        @Override
        public int peers() {
            return ask(sink::peers, 0);
        }

        @Override
        public boolean allAnnounce(String topic) {
            return ask(() -> sink.allAnnounce(topic), false);
        }

        @Override
        public boolean flushed() {
            return ask(sink::flushed, true);
        }
    }

    private <T> T ask(Callable<T> question, T ifClosed) {
        if (!thread.isAlive()) {
            return ifClosed;
        }
        try {
            return call(question);
        } catch (IOException e) {
            throw new IllegalStateException("relay: " + e.getMessage(), e);
        }
    }
}
