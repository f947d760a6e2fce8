package io.metricsaggregator.simulation.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** A connection to a peer. */
final class PeerChannel extends SocketChannel implements PeerSelector.Ready {
    private final Peer peer;

    PeerChannel(Peer peer) {
        super(null);
        this.peer = peer;
    }

    @Override
    public int readyOps() {
        return (peer.hasSent() ? SelectionKey.OP_READ : 0) | (peer.canReceive() ? SelectionKey.OP_WRITE : 0);
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        requireOpen();
        return peer.send(into);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        requireOpen();
        return peer.receive(from);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        throw new UnsupportedOperationException("read");
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw new UnsupportedOperationException("write");
    }

    @Override
    public SocketChannel bind(SocketAddress local) {
        throw new UnsupportedOperationException("bind");
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
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
    public SocketChannel shutdownInput() {
        throw new UnsupportedOperationException("shutdownInput");
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        requireOpen();
        peer.ended();
        return this;
    }

    @Override
    public Socket socket() {
        throw new UnsupportedOperationException("socket");
    }

    @Override
    public boolean isConnected() {
        return isOpen();
    }

    @Override
    public boolean isConnectionPending() {
        return false;
    }

    @Override
    public boolean connect(SocketAddress remote) {
        throw new UnsupportedOperationException("connect");
    }

    @Override
    public boolean finishConnect() {
        throw new UnsupportedOperationException("finishConnect");
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return new InetSocketAddress(1);
    }

    @Override
    public SocketAddress getLocalAddress() {
        return new InetSocketAddress(2);
    }

    @Override
    protected void implCloseSelectableChannel() {
        peer.ended();
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        // Nothing here blocks.
    }
}
