package io.metricsaggregator.simulation.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SubscriberPeerTest {
    private static final int MORE_THAN_A_SOCKET = 1_000_000;

    private long now;

    /** Stands still from 100 on for 50 of each {@code every}. */
    private SubscriberPeer peer(long every) {
        return new SubscriberPeer(() -> now, new SplittableRandom(1), 10, 100, 150, every, Long.MAX_VALUE);
    }

    private static int takes(SubscriberPeer peer) throws IOException {
        return peer.receive(ByteBuffer.allocate(MORE_THAN_A_SOCKET));
    }

    @Test
    void aDrowsySubscriberStandsStillAgainAndAgainAndEachTimeItsSocketHoldsAsMuch() throws IOException {
        SubscriberPeer peer = peer(80);
        now = 99;
        assertThat(takes(peer)).isEqualTo(MORE_THAN_A_SOCKET);
        now = 100;
        int socket = takes(peer);
        assertThat(socket).isPositive().isLessThan(MORE_THAN_A_SOCKET);
        assertThat(peer.canReceive()).isFalse();
        assertThat(peer.nextNanos()).isEqualTo(150);
        now = 180;
        assertThat(peer.canReceive()).as("it has read meanwhile").isTrue();
        assertThat(takes(peer)).isEqualTo(socket);
        assertThat(peer.nextNanos()).isEqualTo(230);
        now = 230;
        assertThat(takes(peer)).isEqualTo(MORE_THAN_A_SOCKET);
        assertThat(peer.isDrowsy()).isTrue();
        assertThat(peer.isReadingFrom(120)).isTrue();
    }

    @Test
    void anotherStandsStillOnce() throws IOException {
        SubscriberPeer peer = peer(Long.MAX_VALUE);
        now = 149;
        assertThat(takes(peer)).isLessThan(MORE_THAN_A_SOCKET);
        assertThat(peer.nextNanos()).isEqualTo(150);
        now = 180;
        assertThat(takes(peer)).isEqualTo(MORE_THAN_A_SOCKET);
        assertThat(peer.isDrowsy()).isFalse();
        assertThat(peer.isReadingFrom(120)).isFalse();
    }
}
