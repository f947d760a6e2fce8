package io.metricsaggregator.web;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides which requests are answered, by the rules of {@link WebServer}. Immutable. */
final class Guard {
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    private final boolean loopback;
    private final Set<String> names;

    /** The rules of a server that is bound to an address; null stands for one that other hosts can reach. */
    Guard(@Nullable InetAddress address) {
        loopback = address != null && address.isLoopbackAddress();
        Set<String> allowed = new HashSet<>(LOOPBACK_NAMES);
        if (address != null) {
            allowed.add(address.getHostAddress().toLowerCase(Locale.ROOT));
        }
        names = Set.copyOf(allowed);
    }

    /** The answer to a request that is refused; null if it is allowed. */
    byte @Nullable [] refusal(Request request) {
        if (!request.method().equals("GET") && !request.isHead()) {
            return Response.notAllowed();
        }
        String host = request.host();
        if (loopback && (host == null || !names.contains(host))) {
            return Response.text("403 Forbidden", "ask for localhost", request.isHead());
        }
        if (request.path().equals("/events") && request.isForeign()) {
            return Response.text("403 Forbidden", "open the page itself", request.isHead());
        }
        return null;
    }
}
