package io.metricsaggregator.transport.zmtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Polling;
import io.metricsaggregator.transport.Received;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that violate the protocol or its limits, while a well-behaved peer loses nothing. */
class HostilePeerTest {
    private static final long MILLI = 1_000_000L;

    @TempDir
    Path directory;

    private final Received received = new Received();
    private final List<Transport> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Transport::close);
    }

    private ZmtpTransport transport(TransportOptions options) throws IOException {
        ZmtpTransport transport = new ZmtpTransport(options);
        opened.add(transport);
        return transport;
    }

    private Endpoint ipc(String name) {
        return Endpoint.parse("bind:ipc://" + directory.resolve(name), true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "02ffffffffffffffff",
                "028000000000000000",
                "027fffffffffffffff",
                "06ffffffffffffffff",
                "ff",
                "0800",
                "04050450494e47",
                "0400",
                "020000000040000000"
            })
    void aMalformedFrameClosesOnlyItsOwnConnection(String hex) throws IOException {
        ZmtpTransport sub =
                transport(TransportOptions.builder().frameMaxBytes(1 << 20).build());
        FrameSource source = sub.openSource(List.of(ipc("in")), received);
        Endpoint place = Endpoint.parse(source.endpoints().get(0).uri(), false);
        ZmtpTransport good = transport(TransportOptions.defaults());
        FrameSink sink = good.openSink(List.of(place), FrameSink.Kind.PUBLISH_QUEUED);
        Polling.until("subscribed", () -> sink.peers() == 1, sub, good);
        try (RawPeer bad = new RawPeer(place)) {
            bad.shake("PUB");
            sink.offer(new byte[] {1});
            bad.send(HexFormat.of().parseHex(hex + "00".repeat(100)));
            Polling.until("disconnected", () -> !bad.isOpen(), sub, good);
        }
        assertThat(sub.stats().protocolErrors).isEqualTo(1);
        sink.offer(new byte[] {2});
        Polling.until("both received", () -> received.count() == 2, sub, good);
    }

    @Test
    void aPeerThatDeclaresALargeFrameAndSendsLittleUsesLittleMemory() throws IOException {
        ZmtpTransport sub = transport(TransportOptions.defaults());
        FrameSource source = sub.openSource(List.of(ipc("in")), received);
        List<RawPeer> peers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            RawPeer peer = new RawPeer(Endpoint.parse(source.endpoints().get(0).uri(), false));
            peer.shake("PUB");
            peer.send(HexFormat.of().parseHex("020000000006400000" + "00".repeat(200)));
            peers.add(peer);
        }
        Polling.until("connected", () -> source.peers() == 50, sub);
        Polling.during(20 * MILLI, sub);
        assertThat(sub.receiveBytesHeld()).isLessThanOrEqualTo(50 * 16 * 1024);
        for (RawPeer peer : peers) {
            peer.close();
        }
    }

    @Test
    void allPeersTogetherStayWithinTheMemoryBudget() throws IOException {
        long frameMax = 4 << 20;
        ZmtpTransport sub =
                transport(TransportOptions.builder().frameMaxBytes(frameMax).build());
        FrameSource source = sub.openSource(List.of(ipc("in")), received);
        List<RawPeer> peers = new ArrayList<>();
        byte[] header = HexFormat.of().parseHex("020000000000400000");
        byte[] part = new byte[64 * 1024];
        for (int i = 0; i < 12; i++) {
            RawPeer peer = new RawPeer(Endpoint.parse(source.endpoints().get(0).uri(), false));
            peer.shake("PUB");
            Polling.during(MILLI, sub);
            peer.send(header);
            for (int sent = 0; sent < (4 << 20) - part.length && peer.isOpen(); sent += part.length) {
                try {
                    peer.send(part);
                } catch (IOException full) {
                    assertThat(full).hasMessageNotContaining("unexpected");
                }
                Polling.during(MILLI / 10, sub);
                assertThat(sub.receiveBytesHeld()).isLessThanOrEqualTo(4 * frameMax);
            }
            peers.add(peer);
        }
        assertThat(sub.stats().protocolErrors).isPositive();
        for (RawPeer peer : peers) {
            peer.close();
        }
    }

    @Test
    void silentPeersAreDisconnectedWhileAGoodOneIsServed() throws IOException {
        ZmtpTransport sub = transport(
                TransportOptions.builder().handshakeTimeoutNanos(150 * MILLI).build());
        FrameSource source = sub.openSource(List.of(ipc("in")), received);
        Endpoint place = Endpoint.parse(source.endpoints().get(0).uri(), false);
        List<RawPeer> silent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            silent.add(new RawPeer(place));
        }
        ZmtpTransport good = transport(TransportOptions.defaults());
        FrameSink sink = good.openSink(List.of(place), FrameSink.Kind.PUBLISH_QUEUED);
        Polling.until("subscribed", () -> sink.peers() == 1, sub, good);
        sink.offer(new byte[] {1});
        Polling.until("received", () -> received.count() == 1, sub, good);
        Polling.until("all timed out", () -> sub.stats().peersTimedOut == 100, sub, good);
        assertThat(silent).noneMatch(RawPeer::isOpen);
        assertThat(source.peers()).isEqualTo(1);
    }

    @Test
    void atTheConnectionLimitAPeerThatNeverBecameReadyIsClosed() throws IOException {
        ZmtpTransport sub =
                transport(TransportOptions.builder().connectionsMax(3).build());
        FrameSource source = sub.openSource(List.of(ipc("in")), received);
        Endpoint place = Endpoint.parse(source.endpoints().get(0).uri(), false);
        try (RawPeer a = new RawPeer(place);
                RawPeer b = new RawPeer(place);
                RawPeer c = new RawPeer(place)) {
            Polling.until("three", () -> sub.stats().peersAccepted == 3, sub);
            ZmtpTransport good = transport(TransportOptions.defaults());
            FrameSink sink = good.openSink(List.of(place), FrameSink.Kind.PUBLISH_QUEUED);
            Polling.until("subscribed", () -> sink.peers() == 1, sub, good);
            assertThat(List.of(a, b, c).stream().filter(peer -> !peer.isOpen())).hasSize(1);
            b.shake("PUB");
            c.shake("PUB");
            Polling.until("ready", () -> source.peers() == 3, sub, good);
            try (RawPeer late = new RawPeer(place)) {
                Polling.until("refused", () -> sub.stats().peersRejectedLimit == 1, sub, good);
                Polling.until("closed", () -> !late.isOpen(), sub, good);
            }
        }
    }

    @Test
    void a_burst_of_peers_at_the_limit_takes_no_more_descriptors_than_the_limit_and_one() throws IOException {
        int limit = 3;
        ZmtpTransport sub =
                transport(TransportOptions.builder().connectionsMax(limit).build());
        FrameSource source = sub.openSource(List.of(ipc("in")), received);
        Endpoint place = Endpoint.parse(source.endpoints().get(0).uri(), false);
        List<RawPeer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                peers.add(new RawPeer(place));
            }
            // The descriptor of a closed connection is free when the selector is asked again, in the next poll.
            long accepted = 0;
            while (accepted < peers.size()) {
                sub.poll(MILLI);
                assertThat(sub.stats().peersAccepted - accepted).isBetween(1L, limit + 1L);
                accepted = sub.stats().peersAccepted;
            }
        } finally {
            for (RawPeer peer : peers) {
                peer.close();
            }
        }
    }

    @Test
    void publishers_leave_connections_for_subscribers() throws IOException {
        ZmtpTransport daemon =
                transport(TransportOptions.builder().connectionsMax(8).build());
        FrameSource source = daemon.openSource(List.of(ipc("in")), received);
        FrameSink snapshots = daemon.openSink(List.of(ipc("out")), FrameSink.Kind.PUBLISH_LATEST);
        Endpoint in = Endpoint.parse(source.endpoints().get(0).uri(), false);
        List<RawPeer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < 6; i++) {
                RawPeer peer = new RawPeer(in);
                peers.add(peer);
                peer.shake("PUB");
                int ready = i + 1;
                Polling.until("a publisher", () -> source.peers() == ready, daemon);
            }
            RawPeer late = new RawPeer(in);
            peers.add(late);
            Polling.until("a seventh publisher is refused", () -> daemon.stats().peersRejectedLimit == 1, daemon);
            for (int i = 0; i < 2; i++) {
                RawPeer subscriber =
                        new RawPeer(Endpoint.parse(snapshots.endpoints().get(0).uri(), false));
                peers.add(subscriber);
                subscriber.shake("SUB");
                subscriber.send(ZmtpEngineTest.message(new byte[] {1}));
                int ready = i + 1;
                Polling.until("a subscriber", () -> snapshots.peers() == ready, daemon);
            }
        } finally {
            for (RawPeer peer : peers) {
                peer.close();
            }
        }
    }

    @Test
    void aFloodOfSubscriptionsClosesTheConnection() throws IOException {
        ZmtpTransport pub = transport(TransportOptions.defaults());
        FrameSink sink = pub.openSink(List.of(ipc("out")), FrameSink.Kind.PUBLISH_LATEST);
        try (RawPeer flood = new RawPeer(Endpoint.parse(sink.endpoints().get(0).uri(), false))) {
            flood.shake("SUB");
            for (int i = 0; i < 1000 && flood.isOpen(); i++) {
                try {
                    flood.send(ZmtpEngineTest.message(("\u0001topic " + i).getBytes()));
                } catch (IOException closed) {
                    break;
                }
            }
            Polling.until("disconnected", () -> !flood.isOpen(), pub);
        }
        assertThat(pub.stats().protocolErrors).isEqualTo(1);
        assertThat(sink.peers()).isZero();
    }

    @Test
    void aConnectionClosedWithinAFrameIsCounted() throws IOException {
        ZmtpTransport sub = transport(TransportOptions.defaults());
        FrameSource source = sub.openSource(List.of(ipc("in")), received);
        try (RawPeer peer = new RawPeer(Endpoint.parse(source.endpoints().get(0).uri(), false))) {
            peer.shake("PUB");
            peer.send(ZmtpEngineTest.message(new byte[] {1}));
            peer.send(new byte[] {0, 100, 1, 2, 3});
        }
        Polling.until("gone", () -> sub.stats().framesTruncated == 1, sub);
        assertThat(received.count()).isEqualTo(1);
    }

    @Test
    void aSubscriberThatNeverReadsHasOneFrameQueuedAndIsThenEvicted() throws IOException {
        ZmtpTransport pub = transport(
                TransportOptions.builder().stallTimeoutNanos(300 * MILLI).build());
        FrameSink sink = pub.openSink(List.of(ipc("out")), FrameSink.Kind.PUBLISH_LATEST);
        Endpoint place = Endpoint.parse(sink.endpoints().get(0).uri(), false);
        ZmtpTransport sub = transport(TransportOptions.defaults());
        FrameSource source = sub.openSource(List.of(place), received);
        try (RawPeer stuck = new RawPeer(place)) {
            stuck.shake("SUB");
            stuck.send(ZmtpEngineTest.message(new byte[] {1}));
            Polling.until("both subscribed", () -> sink.peers() == 2 && source.ready(), pub, sub);
            for (int i = 0; i < 100; i++) {
                byte[] frame = new byte[100_000];
                frame[0] = (byte) i;
                int before = received.count();
                assertThat(sink.offer(frame)).isTrue();
                Polling.until("the live subscriber has received it", () -> received.count() > before, pub, sub);
            }
            assertThat(received.count()).isEqualTo(100);
            // The kernel's buffers took some frames; of the rest only the latest is kept.
            assertThat(pub.stats().framesConflated).isBetween(80L, 99L);
            Polling.until("evicted", () -> pub.stats().peersStalled == 1, pub, sub);
            assertThat(sink.peers()).isEqualTo(1);
        }
    }

    @Test
    void aSlowSubscriberStillReceivesTheLastFrame() throws IOException {
        ZmtpTransport pub = transport(TransportOptions.defaults());
        FrameSink sink = pub.openSink(List.of(ipc("out")), FrameSink.Kind.PUBLISH_LATEST);
        ZmtpTransport sub = transport(TransportOptions.defaults());
        FrameSource source =
                sub.openSource(List.of(Endpoint.parse(sink.endpoints().get(0).uri(), false)), received);
        Polling.until("subscribed", () -> sink.peers() == 1 && source.ready(), pub, sub);
        for (int i = 0; i < 100; i++) {
            sink.offer(new byte[100_000]);
            Polling.during(MILLI / 10, pub);
        }
        byte[] last = new byte[50_000];
        last[0] = 42;
        sink.offerLast(last);
        Polling.until(
                "last received",
                () -> received.count() > 0 && received.frames.get(received.count() - 1)[0] == 42,
                pub,
                sub);
        assertThat(received.count()).isLessThan(100);
        Polling.during(50 * MILLI, pub, sub);
        assertThat(received.frames.get(received.count() - 1)).isEqualTo(last);
    }

    @Test
    void aLateSubscriberReceivesTheLatestFrameAtOnce() throws IOException {
        ZmtpTransport pub = transport(TransportOptions.defaults());
        FrameSink sink = pub.openSink(List.of(ipc("out")), FrameSink.Kind.PUBLISH_LATEST);
        sink.offer(new byte[] {1});
        sink.offer(new byte[] {2});
        ZmtpTransport sub = transport(TransportOptions.defaults());
        sub.openSource(List.of(Endpoint.parse(sink.endpoints().get(0).uri(), false)), received);
        Polling.until("received", () -> received.count() == 1, pub, sub);
        assertThat(received.frames.get(0)).isEqualTo(new byte[] {2});
    }

    @Test
    void closingWaitsForASubscriberThatIsConnecting() throws IOException {
        ZmtpTransport pub = transport(TransportOptions.defaults());
        FrameSink sink = pub.openSink(List.of(ipc("out")), FrameSink.Kind.PUBLISH_LATEST);
        ZmtpTransport sub = transport(TransportOptions.defaults());
        sub.openSource(List.of(Endpoint.parse(sink.endpoints().get(0).uri(), false)), received);
        sub.poll(0);
        Polling.until("accepted", () -> pub.stats().peersAccepted == 1, pub);
        sink.offerLast(new byte[] {9});
        Thread closer = new Thread(() -> pub.close(5_000 * MILLI));
        closer.start();
        Polling.until("received", () -> received.count() == 1, sub);
        sub.close();
        try {
            closer.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void stuckSubscribersDoNotDelayClosing() throws IOException {
        ZmtpTransport pub = transport(TransportOptions.defaults());
        FrameSink sink = pub.openSink(List.of(ipc("out")), FrameSink.Kind.PUBLISH_LATEST);
        List<RawPeer> stuck = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            RawPeer peer = new RawPeer(Endpoint.parse(sink.endpoints().get(0).uri(), false));
            peer.shake("SUB");
            peer.send(ZmtpEngineTest.message(new byte[] {1}));
            stuck.add(peer);
        }
        Polling.until("subscribed", () -> sink.peers() == 100, pub);
        sink.offerLast(new byte[1_000_000]);
        long start = System.nanoTime();
        pub.close(1_000 * MILLI);
        assertThat((System.nanoTime() - start) / MILLI).isLessThan(30_000);
        for (RawPeer peer : stuck) {
            peer.close();
        }
    }
}
