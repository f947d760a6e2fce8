package io.metricsaggregator.transport;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * CURVE keys for tcp, each 40 characters of Z85 as {@code curve_keypair} prints them. The side that binds is the server.
 *
 * @param publicKey this side's public key
 * @param secretKey this side's secret key
 * @param serverKey the server's public key; needed to connect
 * @param allowedClients public keys of the clients that may connect; needed to bind, since encryption without it lets anyone in
 */
public record CurveKeys(
        String publicKey, String secretKey, @Nullable String serverKey, Set<String> allowedClients) {

    /** Characters of a key in Z85. */
    public static final int KEY_LENGTH = 40;

    public CurveKeys {
        requireKey("public key", publicKey);
        requireKey("secret key", secretKey);
        if (serverKey != null) {
            requireKey("server key", serverKey);
        }
        allowedClients = Set.copyOf(allowedClients);
        for (String client : allowedClients) {
            requireKey("client key", client);
        }
    }

    private static void requireKey(String name, String key) {
        if (key.length() != KEY_LENGTH) {
            throw new IllegalArgumentException(
                    "the CURVE " + name + " is " + key.length() + " characters long; a Z85 key has " + KEY_LENGTH);
        }
    }

    @Override
    public String toString() {
        return "CurveKeys[" + publicKey + "]";
    }
}
