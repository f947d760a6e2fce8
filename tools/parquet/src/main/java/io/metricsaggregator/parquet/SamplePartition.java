package io.metricsaggregator.parquet;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Folders of files with rows, {@code run=ID/node=NAME}, as Hive, Spark, DuckDB and pyarrow read them. An id or name cannot leave its folder: bytes other
 * than ASCII letters, digits, {@code _}, {@code -} and {@code .} are percent-encoded, and long values cut. Stateless.
 */
public final class SamplePartition {
    /** What Hive writes for null. */
    private static final String NULL = "__HIVE_DEFAULT_PARTITION__";
    /** Most bytes of an encoded value: file systems take 255 for a name. */
    private static final int VALUE_BYTES_MAX = 200;

    private SamplePartition() {}

    /**
     * Returns the relative path of a partition, its parts separated by {@code /}.
     *
     * @param runId id of the run; null if unknown
     * @param node name of the node; null if unknown
     */
    public static String path(@Nullable String runId, @Nullable String node) {
        return "run=" + value(runId) + "/node=" + value(node);
    }

    private static String value(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            return NULL;
        }
        StringBuilder encoded = new StringBuilder();
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        for (byte each : bytes) {
            if (isPlain(each)) {
                encoded.append((char) each);
            } else {
                encoded.append('%').append(Character.toUpperCase(Character.forDigit(each >> 4 & 15, 16)));
                encoded.append(Character.toUpperCase(Character.forDigit(each & 15, 16)));
            }
        }
        if (encoded.length() <= VALUE_BYTES_MAX) {
            return encoded.toString();
        }
        // The end may be half of an encoded byte; the checksum keeps values with the same start apart.
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return encoded.substring(0, VALUE_BYTES_MAX).replaceFirst("%.?$", "") + "-"
                + Long.toHexString(checksum.getValue());
    }

    private static boolean isPlain(byte each) {
        return (each >= 'a' && each <= 'z')
                || (each >= 'A' && each <= 'Z')
                || (each >= '0' && each <= '9')
                || each == '_'
                || each == '-'
                || each == '.';
    }
}
