package io.metricsaggregator.flink.kafka;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Derives the name of a run from the key of its messages. The name is safe as the name of a folder, whatever the key holds. Stateless. */
final class RunKey {
    /** Longest key that names its run as it is. */
    static final int NAME_MAX_BYTES = 128;

    private static final int HASH_BYTES = 16;

    private RunKey() {}

    /**
     * Names the run of a message.
     *
     * @param key key of the message; null or empty if it has none, and then all such messages of a partition are one run
     * @param partition partition of the message
     * @return the key itself if it consists of letters, digits, {@code .}, {@code _} and {@code -} only and does not begin with a dot, its SHA-256
     *     otherwise
     */
    static String name(byte @Nullable [] key, int partition) {
        if (key == null || key.length == 0) {
            return "partition-" + partition;
        }
        if (key.length <= NAME_MAX_BYTES && key[0] != '.' && isPlain(key)) {
            return new String(key, StandardCharsets.US_ASCII);
        }
        return "key-" + HexFormat.of().formatHex(sha256(key), 0, HASH_BYTES);
    }

    private static boolean isPlain(byte[] key) {
        for (byte each : key) {
            if (!((each >= 'a' && each <= 'z')
                    || (each >= 'A' && each <= 'Z')
                    || (each >= '0' && each <= '9')
                    || each == '.'
                    || each == '_'
                    || each == '-')) {
                return false;
            }
        }
        return true;
    }

    private static byte[] sha256(byte[] key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
