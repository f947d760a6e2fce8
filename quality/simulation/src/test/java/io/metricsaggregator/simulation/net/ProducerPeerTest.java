package io.metricsaggregator.simulation.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProducerPeerTest {
    private static final byte[] SUBSCRIPTION =
            ZmtpBytes.join(ZmtpBytes.hello("SUB"), ZmtpBytes.message(new byte[] {1}));
    private static final long DUE = 10_000_000;
    private static final int FRAME = 300;

    private long now = 1;
    private final List<Integer> onTheWay = new ArrayList<>();

    private ProducerPeer peer(int cut) {
        List<ProducerPeer.Due> frames =
                List.of(new ProducerPeer.Due(DUE, new byte[FRAME]), new ProducerPeer.Due(2 * DUE, new byte[FRAME]));
        return new ProducerPeer(() -> now, frames, 0, onTheWay::add, new SplittableRandom(1), 0, cut);
    }

    private static int read(ProducerPeer peer) {
        return peer.send(ByteBuffer.allocate(10 * FRAME));
    }

    @Test
    void a_producer_sends_each_frame_when_it_is_due_and_a_piece_of_it_before_once_it_is_subscribed_to() {
        ProducerPeer peer = peer(Integer.MAX_VALUE);
        int frame = ZmtpBytes.message(new byte[FRAME]).length;
        assertThat(read(peer)).isEqualTo(ZmtpBytes.hello("PUB").length);
        now = DUE;
        assertThat(read(peer)).as("nobody has subscribed").isZero();
        assertThat(peer.readable()).isZero();
        peer.receive(ByteBuffer.wrap(SUBSCRIPTION));
        assertThat(peer.readable()).isEqualTo(1);
        assertThat(read(peer)).isEqualTo(frame);
        assertThat(peer.nextNanos()).isBetween(2 * DUE - 3_000_000, 2 * DUE);
        now = peer.nextNanos();
        int piece = read(peer);
        assertThat(piece).isPositive().isLessThan(frame);
        assertThat(peer.nextNanos()).isEqualTo(2 * DUE);
        now = 2 * DUE;
        assertThat(read(peer)).isEqualTo(frame - piece);
        assertThat(peer.nextNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(onTheWay).startsWith(0).endsWith(1);
    }

    @Test
    void a_connection_that_is_cut_ends_within_a_frame_that_cannot_be_read_as_a_whole() {
        ProducerPeer peer = peer(1);
        peer.receive(ByteBuffer.wrap(SUBSCRIPTION));
        now = 3 * DUE;
        assertThat(peer.readable()).isEqualTo(1);
        int frame = ZmtpBytes.message(new byte[FRAME]).length;
        assertThat(read(peer))
                .isStrictlyBetween(ZmtpBytes.hello("PUB").length + frame, ZmtpBytes.hello("PUB").length + 2 * frame);
        assertThat(peer.hasSent()).as("its end").isTrue();
        assertThat(read(peer)).isEqualTo(-1);
        assertThat(peer.isGone()).isTrue();
        assertThat(onTheWay).as("the frame that is lost").endsWith(1);
    }

    @Test
    void a_hostile_peer_is_tolerated_if_it_is_still_connected_when_its_time_is_over() {
        for (Attack attack : Attack.values()) {
            now = 0;
            HostilePeer peer = new HostilePeer(() -> now, new SplittableRandom(2), attack, 1, 1 << 16);
            now = 1_000_000_000;
            while (peer.hasSent() && peer.send(ByteBuffer.allocate(1 << 17)) > 0) {
                assertThat(peer.isTolerated(2 * now, now)).as("%s", attack).isFalse();
            }
            now = 100_000_000_000L;
            assertThat(peer.isTolerated(1, 1)).as("%s", attack).isEqualTo(attack.after != Attack.After.KEEP);
            peer.ended();
            assertThat(peer.isTolerated(1, 1)).as("%s", attack).isFalse();
        }
    }
}
