package io.metricsaggregator.options;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/**
 * Parses durations with a unit: {@code 250ms}, {@code 10s}, {@code 5m}, {@code 1h}; {@code 0} needs no unit. Any other bare number is
 * rejected, because some readers take it for seconds and some for milliseconds.
 */
public class DurationConverter implements CommandLine.ITypeConverter<Duration> {
    private static final Pattern SHAPE = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|ms|s|m|h)?");

    /** Takes a bare number as seconds, for the options that MLCommons endpoints has too. */
    public static final class Seconds extends DurationConverter {
        @Override
        Duration bare(String number) {
            return convert(number + "s");
        }
    }

    @Override
    public Duration convert(String text) {
        Matcher matcher = SHAPE.matcher(text.trim());
        if (!matcher.matches()) {
            throw new CommandLine.TypeConversionException(
                    "'" + text + "' is not a duration such as 250ms, 10s, 5m or 1h");
        }
        if (matcher.group(2) == null) {
            return bare(matcher.group(1));
        }
        long nanosPerUnit = switch (matcher.group(2)) {
            case "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            default -> 3_600_000_000_000L;
        };
        BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(nanosPerUnit));
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE / 2)) > 0) {
            throw new CommandLine.TypeConversionException("'" + text + "' is longer than 140 years");
        }
        return Duration.ofNanos(nanos.longValue());
    }

    /** Converts a number without a unit; only 0 is accepted. */
    Duration bare(String number) {
        if (new BigDecimal(number).signum() == 0) {
            return Duration.ZERO;
        }
        throw new CommandLine.TypeConversionException(
                "'" + number + "' has no unit: write " + number + "ms or " + number + "s");
    }
}
