package io.metricsaggregator.simulation.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A bound socket. */
final class ListeningChannel extends ServerSocketChannel implements PeerSelector.Ready {
    private InetSocketAddress address = new InetSocketAddress(0);

    ListeningChannel() {
        super(null);
    }

    @Override
    public int readyOps() {
        return NetCalls.callers(address.getPort()).isWaiting() ? SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) {
        address = (InetSocketAddress) local;
        return this;
    }

    @Override
    public @Nullable SocketChannel accept() throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        Peer peer = NetCalls.callers(address.getPort()).accept();
        return peer == null ? null : new PeerChannel(peer);
    }

    @Override
    public SocketAddress getLocalAddress() {
        return address;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) {
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        throw new UnsupportedOperationException("getOption");
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public ServerSocket socket() {
        throw new UnsupportedOperationException("socket");
    }

    @Override
    protected void implCloseSelectableChannel() {
        // Peers that wait are not accepted any more.
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        // Nothing here blocks.
    }
}
