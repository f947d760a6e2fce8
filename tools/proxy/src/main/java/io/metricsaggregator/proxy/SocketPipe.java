package io.metricsaggregator.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import javax.net.ssl.SSLSocket;

/** A pipe over a socket, or over TLS on it. */
final class SocketPipe implements Pipe {
    private final Socket tcp;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    /** Wraps a connected socket. */
    SocketPipe(Socket tcp) throws IOException {
        this(tcp, tcp);
    }

    /**
     * Wraps a socket with TLS.
     *
     * @param tcp below it; closing it ends calls that block in TLS
     */
    SocketPipe(Socket tcp, SSLSocket tls) throws IOException {
        this(tcp, (Socket) tls);
    }

    private SocketPipe(Socket tcp, Socket socket) throws IOException {
        this.tcp = tcp;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /** Sets the options of a connection: no delay of small writes, and probes of a silent peer. */
    static void configure(Socket socket) throws SocketException {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
    }

    @Override
    public int read(byte[] into) throws IOException {
        return in.read(into, 0, into.length);
    }

    @Override
    public boolean hasInput() throws IOException {
        return in.available() > 0;
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        out.write(bytes, from, count);
    }

    @Override
    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() {
        try {
            tcp.close();
        } catch (IOException e) {
            // Nothing can be done about a socket that does not close.
        }
    }

    @Override
    public void reset() {
        try {
            tcp.setSoLinger(true, 0);
        } catch (SocketException e) {
            // It is closed already.
        }
        close();
    }
}
