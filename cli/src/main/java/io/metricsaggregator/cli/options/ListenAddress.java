package io.metricsaggregator.cli.options;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the address that an HTTP server of a command listens on: {@code HOST:PORT}, or {@code PORT} on loopback; {@code *} is every address. */
public final class ListenAddress {
    private static final Pattern SHAPE = Pattern.compile("(?:(.+):)?(\\d{1,5})");
    private static final int PORT_MAX = 65_535;

    private ListenAddress() {}

    /**
     * Parses the value of an option.
     *
     * @param insecure whether an address that other hosts can reach is allowed
     * @param served what is served there without a password, for the message
     * @throws IllegalArgumentException if it is not an address, or one that is not allowed
     */
    public static InetSocketAddress parse(String option, String text, boolean insecure, String served) {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > PORT_MAX) {
            throw new IllegalArgumentException(option + " '" + text + "' is not an address such as 127.0.0.1:9464");
        }
        String host = matcher.group(1) == null ? "127.0.0.1" : matcher.group(1).replaceAll("^\\[|]$", "");
        try {
            InetAddress address = InetAddress.getByName(host.equals("*") ? "0.0.0.0" : host);
            if (!address.isLoopbackAddress() && !insecure) {
                throw new IllegalArgumentException(option + " " + text + ": not a loopback address, and " + served
                        + " has no password. Use 127.0.0.1, or --insecure-bind to serve anyone");
            }
            return new InetSocketAddress(address, Integer.parseInt(matcher.group(2)));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(option + " " + text + ": unknown host " + host, e);
        }
    }
}
