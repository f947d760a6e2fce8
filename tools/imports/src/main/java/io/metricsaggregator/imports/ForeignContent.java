package io.metricsaggregator.imports;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Recognises content that no format reads by its first bytes: other encodings of text, and other compressions than gzip. Stateless. */
final class ForeignContent {
    /** Bytes in which the pattern of two-byte characters is searched. */
    private static final int PATTERN_BYTES = 64;

    private record Magic(String hex, String what) {}

    private static final List<Magic> MAGIC = List.of(
            new Magic("0000FEFF", "is UTF-32 (byte order mark 00 00 FE FF): convert it with iconv -f UTF-32 -t UTF-8"),
            new Magic("FFFE0000", "is UTF-32 (byte order mark FF FE 00 00): convert it with iconv -f UTF-32 -t UTF-8"),
            new Magic("FFFE", "is UTF-16 (byte order mark FF FE): convert it with iconv -f UTF-16 -t UTF-8"),
            new Magic("FEFF", "is UTF-16 (byte order mark FE FF): convert it with iconv -f UTF-16 -t UTF-8"),
            new Magic("28B52FFD", "is compressed with zstd: decompress it with zstd -d"),
            new Magic("FD377A585A00", "is compressed with xz: decompress it with xz -d"),
            new Magic("425A68", "is compressed with bzip2: decompress it with bzip2 -d"),
            new Magic("504B0304", "is a zip archive: unpack it"));

    private ForeignContent() {}

    /** What the content is and what to do, as the end of a sentence about the file; null if it may be of any format. */
    static @Nullable String of(byte[] first) {
        for (Magic each : MAGIC) {
            if (startsWith(first, each.hex())) {
                return each.what();
            }
        }
        if (alternates(first, 1)) {
            return "is UTF-16 (every second byte is 0, the first is not): convert it with iconv -f UTF-16LE -t UTF-8";
        }
        if (alternates(first, 0)) {
            return "is UTF-16 (every second byte is 0, from the first on): convert it with iconv -f UTF-16BE -t UTF-8";
        }
        return null;
    }

    private static boolean startsWith(byte[] first, String hex) {
        for (int i = 0; 2 * i < hex.length(); i++) {
            if (i >= first.length || !hex.startsWith(String.format(Locale.ROOT, "%02X", first[i] & 0xff), 2 * i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the bytes at {@code zeros}, {@code zeros} + 2, … are 0 and the others are not. */
    private static boolean alternates(byte[] first, int zeros) {
        int length = Math.min(first.length, PATTERN_BYTES);
        for (int i = 0; i < length; i++) {
            if ((first[i] == 0) != (i % 2 == zeros)) {
                return false;
            }
        }
        return length >= 4;
    }
}
