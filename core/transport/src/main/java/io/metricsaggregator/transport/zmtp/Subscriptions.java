package io.metricsaggregator.transport.zmtp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The subscriptions of one peer: at most 16 prefixes. A prefix subscribed twice has to be cancelled twice. */
final class Subscriptions {
    private static final int MAX = 16;
    private static final int PREFIX_MAX_BYTES = 256;

    private final List<byte[]> prefixes = new ArrayList<>(1);

    /** Adds a prefix; false if it is too long or there are too many. */
    boolean add(byte[] prefix) {
        return prefixes.size() < MAX && prefix.length <= PREFIX_MAX_BYTES && prefixes.add(prefix);
    }

    void remove(byte[] prefix) {
        for (int i = 0; i < prefixes.size(); i++) {
            if (Arrays.equals(prefixes.get(i), prefix)) {
                prefixes.remove(i);
                return;
            }
        }
    }

    boolean isEmpty() {
        return prefixes.isEmpty();
    }

    boolean has(byte[] prefix) {
        for (byte[] each : prefixes) {
            if (Arrays.equals(each, prefix)) {
                return true;
            }
        }
        return false;
    }

    boolean match(byte[] frame) {
        for (byte[] prefix : prefixes) {
            if (matches(prefix, frame)) {
                return true;
            }
        }
        return false;
    }

    static boolean matches(byte[] prefix, byte[] frame) {
        return prefix.length <= frame.length && Arrays.mismatch(prefix, 0, prefix.length, frame, 0, prefix.length) < 0;
    }
}
