package io.metricsaggregator.cli.options;

import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** File permissions as the three octal digits of {@code chmod}. */
final class OctalMode {
    private OctalMode() {}

    /**
     * Reads a mode as a number, 0 to 0777.
     *
     * @param option the option with this value, for the message
     * @throws IllegalArgumentException if the text is not three octal digits, perhaps behind a zero
     */
    static int bits(String option, String octal) {
        if (!octal.matches("0?[0-7]{3}")) {
            throw new IllegalArgumentException(option + " " + octal + " is not an octal mode such as 600 or 640");
        }
        return Integer.parseInt(octal, 8);
    }

    /** Returns the permissions of a mode. */
    static Set<PosixFilePermission> permissions(int bits) {
        StringBuilder text = new StringBuilder();
        for (int bit = 8; bit >= 0; bit--) {
            text.append((bits >> bit & 1) == 0 ? '-' : "xwr".charAt(bit % 3));
        }
        return PosixFilePermissions.fromString(text.toString());
    }
}
