package io.metricsaggregator.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides by its head which request is answered. Immutable. */
final class Guard {
    private static final List<String> LOOPBACK_NAMES = List.of("localhost", "127.0.0.1", "[::1]");

    private final HttpConfig config;
    private final boolean loopback;
    private final Set<String> names;

    /** The rules of a listener that is bound to an address. */
    Guard(HttpConfig config, @Nullable InetAddress address) {
        this.config = config;
        loopback = address != null && address.isLoopbackAddress();
        Set<String> allowed = new HashSet<>(LOOPBACK_NAMES);
        if (address != null) {
            allowed.add(address.getHostAddress().toLowerCase(Locale.ROOT));
        }
        names = Set.copyOf(allowed);
    }

    /** A status and a line of text. */
    record Refusal(int status, String line) {}

    private static final Refusal MALFORMED = new Refusal(400, "not an HTTP/1 request");

    /** Why a request is refused; null if it is not. */
    @Nullable
    Refusal refusal(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return malformed(request.decoderResult().cause());
        }
        HttpHeaders headers = request.headers();
        List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        List<String> lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
        List<String> encodings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (!request.protocolVersion().protocolName().equals("HTTP")
                || request.protocolVersion().majorVersion() != 1
                || hosts.size() > 1
                || lengths.size() > 1
                || !(encodings.isEmpty() || isChunkedAlone(encodings, lengths))) {
            return MALFORMED;
        }
        if (!config.methods().contains(request.method().name())) {
            return new Refusal(405, "only " + String.join(", ", config.methods()));
        }
        if (!request.uri().startsWith("/")) {
            return MALFORMED;
        }
        if (loopback && (hosts.isEmpty() || !names.contains(withoutPort(hosts.get(0))))) {
            return new Refusal(403, "ask for localhost");
        }
        long length = lengths.isEmpty() ? 0 : HttpUtil.getContentLength(request, 0L);
        return length > config.limits().bodyBytes() ? tooLarge() : null;
    }

    private static boolean isChunkedAlone(List<String> encodings, List<String> lengths) {
        return lengths.isEmpty() && encodings.size() == 1 && encodings.get(0).equalsIgnoreCase("chunked");
    }

    /** The refusal of a body beyond the limit. */
    Refusal tooLarge() {
        return new Refusal(
                413, "the request body has more than " + config.limits().bodyBytes() + " bytes");
    }

    /** The refusal of bytes that could not be parsed. */
    static Refusal malformed(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return new Refusal(414, "the request line is too long");
        }
        return cause instanceof TooLongHttpHeaderException
                ? new Refusal(431, "the request's headers are too long")
                : MALFORMED;
    }

    private static String withoutPort(String host) {
        return host.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", "");
    }
}
