package io.metricsaggregator.transport.zmtp;

import java.util.Set;

/** The socket types of this implementation, each with the peer types it accepts. */
enum SocketType {
    SUB(Set.of("PUB", "XPUB")),
    PUB(Set.of("SUB", "XSUB")),
    PUSH(Set.of("PULL"));

    @SuppressWarnings("ImmutableEnumChecker") // from Set.of
    private final Set<String> peers;

    SocketType(Set<String> peers) {
        this.peers = peers;
    }

    boolean acceptsPeer(String type) {
        return peers.contains(type);
    }
}
