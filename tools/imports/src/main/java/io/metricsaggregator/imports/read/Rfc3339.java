package io.metricsaggregator.imports.read;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.imports.json.InvalidField;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Wall-clock times as Go writes them: RFC 3339 with up to nine decimals and an offset. Stateless. */
public final class Rfc3339 {
    private static final int LONGEST = 40;

    private Rfc3339() {}

    /**
     * Nanoseconds since 1970-01-01T00:00:00Z of a time such as {@code 2023-11-14T22:13:20.312+01:00}.
     *
     * @param name name of the field, for the error
     */
    public static long nanos(@Nullable String text, String name) throws InvalidField {
        if (text == null) {
            throw new InvalidField(name, "missing");
        }
        try {
            if (text.length() <= LONGEST) {
                return EpochNanos.of(OffsetDateTime.parse(text).toInstant());
            }
        } catch (DateTimeException | ArithmeticException e) {
            // Reported below.
        }
        throw new InvalidField(name, "invalid");
    }
}
