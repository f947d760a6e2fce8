package io.metricsaggregator.transport;

import java.nio.charset.StandardCharsets;

/**
 * The address of a socket and whether this side binds or connects.
 *
 * @param scheme the kind of socket
 * @param bind true to bind, false to connect
 * @param address for ipc the path, for tcp the host ({@code *} for all interfaces)
 * @param port for tcp the port, from 0 (any free one, only to bind) to 65535; for ipc 0
 */
public record Endpoint(Scheme scheme, boolean bind, String address, int port) {

    /** Longest path of a Unix domain socket that the JDK binds or connects to, in bytes. */
    public static final int IPC_PATH_MAX_BYTES = 106;

    /** The transport protocol. */
    public enum Scheme {
        /** A Unix domain socket. */
        IPC,
        /** A TCP socket. */
        TCP
    }

    public Endpoint {
        if (address.isEmpty()) {
            throw new IllegalArgumentException(
                    scheme == Scheme.IPC
                            ? "endpoint 'ipc://' has no path"
                            : "endpoint 'tcp://:" + port + "' has no host");
        }
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException(
                    "endpoint 'tcp://" + address + ":" + port + "' has a port that is not between 0 and 65535");
        }
        if (scheme == Scheme.IPC) {
            requireUsablePath(address);
        } else if (!bind && (port == 0 || address.equals("*"))) {
            throw new IllegalArgumentException(
                    "tcp://" + address + ":" + port + " can be bound but not connected to; give a host and a port");
        }
    }

    private static void requireUsablePath(String path) {
        if (path.startsWith("@")) {
            throw new IllegalArgumentException("ipc://" + path
                    + " is an abstract socket name, which Java cannot use; give a path in the file system");
        }
        if (path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the path of endpoint 'ipc://" + path + "' contains a NUL character");
        }
        int bytes = path.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > IPC_PATH_MAX_BYTES) {
            throw new IllegalArgumentException("the path of ipc://" + path + " is " + bytes
                    + " bytes long; a Unix domain socket allows " + IPC_PATH_MAX_BYTES);
        }
    }

    /**
     * Reads {@code [bind:|connect:](ipc://PATH|tcp://HOST:PORT)}.
     *
     * @param bindByDefault whether an endpoint without a prefix is bound
     * @throws IllegalArgumentException if the text is not an endpoint; the message names the cause
     */
    public static Endpoint parse(String text, boolean bindByDefault) {
        String rest = text;
        boolean bind = bindByDefault;
        if (text.startsWith("bind:")) {
            bind = true;
            rest = text.substring("bind:".length());
        } else if (text.startsWith("connect:")) {
            bind = false;
            rest = text.substring("connect:".length());
        }
        if (rest.startsWith("ipc://")) {
            return new Endpoint(Scheme.IPC, bind, rest.substring("ipc://".length()), 0);
        }
        if (rest.startsWith("tcp://")) {
            return parseTcp(text, bind, rest.substring("tcp://".length()));
        }
        throw new IllegalArgumentException(
                "endpoint '" + text
                        + "' is not an endpoint: use ipc://PATH or tcp://HOST:PORT, optionally prefixed with bind: or connect:");
    }

    private static Endpoint parseTcp(String text, boolean bind, String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        if (colon <= 0 || hostAndPort.endsWith("]")) {
            throw new IllegalArgumentException("endpoint '" + text + "' lacks a port: tcp://HOST:PORT");
        }
        String host = hostAndPort.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        String port = hostAndPort.substring(colon + 1);
        try {
            return new Endpoint(Scheme.TCP, bind, host, port.equals("*") ? 0 : Integer.parseInt(port));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("endpoint '" + text + "' has the port '" + port + "', not a number");
        }
    }

    /** The address as ZeroMQ writes it, without {@code bind:} or {@code connect:}. */
    public String uri() {
        if (scheme == Scheme.IPC) {
            return "ipc://" + address;
        }
        return "tcp://" + (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
    }

    @Override
    public String toString() {
        return (bind ? "bind:" : "connect:") + uri();
    }
}
