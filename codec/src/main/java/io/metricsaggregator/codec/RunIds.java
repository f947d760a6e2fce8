package io.metricsaggregator.codec;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Ids of runs: 64 bits as 16 lower-case hexadecimal digits. */
public final class RunIds {
    private static final int ID_BYTES = 8;

    private RunIds() {}

    /** A new id. */
    public static String random() {
        return HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    }

    /** The id that follows from a text: the first 64 bits of its SHA-256. */
    public static String of(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
