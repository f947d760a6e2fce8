package io.metricsaggregator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of every transport. One subclass per implementation and socket type. */
public abstract class TransportContract {
    private final List<Transport> opened = new ArrayList<>();

    /** Creates a transport for the side that binds. */
    protected abstract Transport binding(TransportOptions options) throws IOException;

    /** Creates a transport for the side that connects. */
    protected Transport connecting(TransportOptions options) throws IOException {
        return binding(options);
    }

    /** Returns an endpoint to bind, a different one at each call. */
    protected abstract Endpoint newEndpoint();

    @AfterEach
    final void closeAll() {
        opened.forEach(Transport::close);
    }

    private Transport open(boolean binds, TransportOptions options) throws IOException {
        Transport transport = binds ? binding(options) : connecting(options);
        opened.add(transport);
        return transport;
    }

    private Transport open(boolean binds) throws IOException {
        return open(binds, TransportOptions.defaults());
    }

    @Test
    void framesOfEverySizeArriveIntactAndInOrderWhenThePublisherBinds() throws IOException {
        framesArrive(true);
    }

    @Test
    void framesOfEverySizeArriveIntactAndInOrderWhenTheSubscriberBinds() throws IOException {
        framesArrive(false);
    }

    private void framesArrive(boolean publisherBinds) throws IOException {
        Transport pub = open(publisherBinds);
        Transport sub = open(!publisherBinds);
        Received received = new Received();
        FrameSink sink;
        FrameSource source;
        if (publisherBinds) {
            sink = pub.openSink(List.of(newEndpoint()), FrameSink.Kind.PUBLISH_QUEUED);
            source = sub.openSource(
                    List.of(Endpoint.parse(sink.endpoints().get(0).uri(), false)), received);
        } else {
            source = sub.openSource(List.of(newEndpoint()), received);
            sink = pub.openSink(
                    List.of(Endpoint.parse(source.endpoints().get(0).uri(), false)), FrameSink.Kind.PUBLISH_QUEUED);
        }
        Polling.until("subscribed", () -> source.ready() && sink.peers() == 1, pub, sub);
        List<byte[]> sent = new ArrayList<>();
        Random random = new Random(1);
        for (int size : new int[] {0, 1, 2, 254, 255, 256, 257, 65_535, 65_536, 300_000, 3_000_000, 0, 5}) {
            byte[] frame = new byte[size];
            random.nextBytes(frame);
            sent.add(frame);
            assertThat(sink.offer(frame)).isTrue();
        }
        Polling.until("all received", () -> received.count() == sent.size(), pub, sub);
        for (int i = 0; i < sent.size(); i++) {
            assertThat(received.frames.get(i)).isEqualTo(sent.get(i));
        }
        assertThat(received.bursts).isPositive();
        assertThat(sub.stats().framesReceived).isEqualTo(sent.size());
    }

    @Test
    void smallFramesSentFasterThanTheyAreReadAllArrive() throws IOException {
        Transport pub = open(true);
        Transport sub = open(false);
        Received received = new Received();
        FrameSink sink = pub.openSink(List.of(newEndpoint()), FrameSink.Kind.PUBLISH_QUEUED);
        FrameSource source =
                sub.openSource(List.of(Endpoint.parse(sink.endpoints().get(0).uri(), false)), received);
        Polling.until("subscribed", () -> source.ready() && sink.peers() == 1, pub, sub);
        int total = 50_000;
        int sent = 0;
        while (sent < total) {
            byte[] frame = (sent + " a frame").getBytes();
            if (sink.offer(frame)) {
                sent++;
            } else {
                Polling.during(1, pub, sub);
            }
        }
        Polling.until("all received", () -> received.count() == total, pub, sub);
        for (int i = 0; i < total; i++) {
            assertThat(new String(received.frames.get(i))).isEqualTo(i + " a frame");
        }
    }

    @Test
    void aSourceReceivesFromSeveralEndpoints() throws IOException {
        Transport sub = open(true);
        Received received = new Received();
        FrameSource source = sub.openSource(List.of(newEndpoint(), newEndpoint()), received);
        List<Transport> all = new ArrayList<>(List.of(sub));
        List<FrameSink> sinks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Transport pub = open(false);
            all.add(pub);
            sinks.add(pub.openSink(
                    List.of(Endpoint.parse(source.endpoints().get(i % 2).uri(), false)),
                    FrameSink.Kind.PUBLISH_QUEUED));
        }
        Transport[] transports = all.toArray(new Transport[0]);
        Polling.until("subscribed", () -> sinks.stream().allMatch(sink -> sink.peers() == 1), transports);
        for (int i = 0; i < 100; i++) {
            for (FrameSink sink : sinks) {
                assertThat(sink.offer(new byte[] {(byte) i})).isTrue();
            }
        }
        Polling.until("all received", () -> received.count() == 400, transports);
    }

    @Test
    void aConnectingSideMayStartFirstAndConnectsWhenThePeerBinds() throws IOException {
        Transport placeholder = open(true);
        Endpoint place = placeholder
                .openSink(List.of(newEndpoint()), FrameSink.Kind.PUBLISH_QUEUED)
                .endpoints()
                .get(0);
        placeholder.close();
        Transport sub = open(false);
        Received received = new Received();
        FrameSource source = sub.openSource(List.of(Endpoint.parse(place.uri(), false)), received);
        Polling.during(100_000_000L, sub);
        assertThat(source.ready()).isFalse();
        Transport pub = open(true);
        FrameSink sink = pub.openSink(List.of(place), FrameSink.Kind.PUBLISH_QUEUED);
        Polling.until("subscribed", () -> source.ready() && sink.peers() == 1, pub, sub);
        assertThat(sink.offer(new byte[] {7})).isTrue();
        Polling.until("received", () -> received.count() == 1, pub, sub);
    }

    @Test
    void aSubscriberReconnectsToARestartedPublisher() throws IOException {
        Transport first = open(true);
        FrameSink sink = first.openSink(List.of(newEndpoint()), FrameSink.Kind.PUBLISH_QUEUED);
        Endpoint place = sink.endpoints().get(0);
        Transport sub = open(false);
        Received received = new Received();
        FrameSource source = sub.openSource(List.of(Endpoint.parse(place.uri(), false)), received);
        Polling.until("subscribed", () -> source.ready() && sink.peers() == 1, first, sub);
        first.close();
        Transport second = open(true);
        FrameSink restarted = second.openSink(List.of(place), FrameSink.Kind.PUBLISH_QUEUED);
        Polling.until("subscribed again", () -> restarted.peers() == 1, second, sub);
        assertThat(restarted.offer(new byte[] {1})).isTrue();
        Polling.until("received", () -> received.count() == 1, second, sub);
    }

    @Test
    void publishingWithoutSubscribersSucceedsAndQueuesNothing() throws IOException {
        Transport pub = open(true);
        FrameSink sink = pub.openSink(List.of(newEndpoint()), FrameSink.Kind.PUBLISH_QUEUED);
        for (int i = 0; i < 10_000; i++) {
            assertThat(sink.offer(new byte[100_000])).isTrue();
        }
        assertThat(sink.flushed()).isTrue();
    }

    /** A sink whose subscriber has received a frame. */
    private FrameSink subscribed(Transport pub, Transport sub, Received received) throws IOException {
        FrameSink sink = pub.openSink(List.of(newEndpoint()), FrameSink.Kind.PUBLISH_LATEST);
        FrameSource source =
                sub.openSource(List.of(Endpoint.parse(sink.endpoints().get(0).uri(), false)), received);
        Polling.until("ready", source::ready, pub, sub);
        // A transport that cannot see the subscription takes it as made after a time, and a busy machine may need
        // longer.
        Polling.until("subscribed", () -> sink.offer(new byte[1]) && received.count() > 0, pub, sub);
        return sink;
    }

    /** Closes both transports; the subscriber has received {@code last} before its own is closed. */
    private void assertReceivedWhileClosing(byte[] last, Transport pub, Transport sub, Received received)
            throws IOException {
        Thread closer = new Thread(() -> pub.close(20_000_000_000L));
        closer.start();
        Polling.until("received", () -> Arrays.equals(received.frames.get(received.count() - 1), last), sub);
        sub.close();
        join(closer);
    }

    @Test
    void theLastFrameArrivesAlthoughTheTransportClosesAfterIt() throws IOException {
        Transport pub = open(true);
        Transport sub = open(false);
        Received received = new Received();
        FrameSink sink = subscribed(pub, sub, received);
        byte[] last = new byte[2_000_000];
        last[0] = 42;
        sink.offerLast(last);
        assertReceivedWhileClosing(last, pub, sub, received);
    }

    @Test
    void theLastFrameArrivesBehindOneThatFillsTheConnection() throws IOException {
        Transport pub = open(true);
        Transport sub = open(false);
        Received received = new Received();
        FrameSink sink = subscribed(pub, sub, received);
        sink.offer(new byte[10_000_000]);
        Polling.during(50_000_000L, pub);
        byte[] last = {42};
        sink.offerLast(last);
        assertReceivedWhileClosing(last, pub, sub, received);
    }

    @Test
    void aSubscriberThatComesAfterTheLastFrameReceivesItWhenItIsRepeated() throws IOException {
        Transport pub = open(true);
        Transport sub = open(false);
        Received received = new Received();
        FrameSink sink = pub.openSink(List.of(newEndpoint()), FrameSink.Kind.PUBLISH_LATEST);
        sink.offer(new byte[] {1});
        sink.offerLast(new byte[] {42});
        Polling.during(20_000_000L, pub);
        sub.openSource(List.of(Endpoint.parse(sink.endpoints().get(0).uri(), false)), received);
        Polling.until(
                "received",
                () -> {
                    sink.repeatLast();
                    return received.count() > 0;
                },
                pub,
                sub);
        assertThat(received.frames).allSatisfy(frame -> assertThat(frame).containsExactly(42));
    }

    @Test
    void aSourceThatAnnouncesTopicsReceivesEachFrameOnce() throws IOException {
        Transport pub = open(true);
        Transport sub = open(false);
        Received received = new Received();
        received.announced = List.of("chunks");
        FrameSink sink = pub.openSink(List.of(newEndpoint()), FrameSink.Kind.PUBLISH_QUEUED);
        FrameSource source =
                sub.openSource(List.of(Endpoint.parse(sink.endpoints().get(0).uri(), false)), received);
        Polling.until("subscribed", () -> source.ready() && sink.peers() > 0, pub, sub);
        sink.offer("chunks and more".getBytes(StandardCharsets.US_ASCII));
        sink.offer("batch".getBytes(StandardCharsets.US_ASCII));
        Polling.until("received", () -> received.count() >= 2, pub, sub);
        Polling.during(20_000_000L, pub, sub);
        assertThat(received.frames)
                .extracting(frame -> new String(frame, StandardCharsets.US_ASCII))
                .containsExactly("chunks and more", "batch");
    }

    @Test
    void aPublisherKnowsWhetherEverySubscriberAnnouncesATopic() throws IOException {
        Transport pub = open(true);
        FrameSink sink = pub.openSink(List.of(newEndpoint()), FrameSink.Kind.PUBLISH_QUEUED);
        Endpoint publisher = Endpoint.parse(sink.endpoints().get(0).uri(), false);
        assertThat(sink.allAnnounce("chunks")).isFalse();
        Transport reader = open(false);
        Received announcing = new Received();
        announcing.announced = List.of("chunks");
        reader.openSource(List.of(publisher), announcing);
        Polling.until("one that announces", () -> sink.allAnnounce("chunks"), pub, reader);
        assertThat(sink.allAnnounce("chunk")).isFalse();
        Transport plain = open(false);
        plain.openSource(List.of(publisher), new Received());
        Polling.until("one that does not", () -> !sink.allAnnounce("chunks"), pub, reader, plain);
    }

    @Test
    void aWakeupFromAnotherThreadEndsTheWait() throws IOException {
        Transport transport = open(true);
        transport.openSource(List.of(newEndpoint()), new Received());
        Thread waker = new Thread(transport::wakeup);
        long start = System.nanoTime();
        waker.start();
        transport.poll(15_000_000_000L);
        assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
        join(waker);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
