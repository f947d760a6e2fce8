package io.metricsaggregator.flink.stream;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Derives the id of a run from its name in the job, so that every task and every attempt gives the run the same id. Stateless. */
public final class RunIds {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");
    private static final int ID_BYTES = 8;

    private RunIds() {}

    /** Returns the name itself if it is the id of a run, 16 lower-case hexadecimal digits, and the start of its SHA-256 otherwise. */
    public static String of(String name) {
        if (ID.matcher(name).matches()) {
            return name;
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
