package io.metricsaggregator.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Durations as people write them: {@code 250ms}, {@code 0.25}, {@code 10s}, {@code 5m}, {@code 1h}. Without a unit: seconds. */
final class DurationConverter implements CommandLine.ITypeConverter<Duration> {
    private static final Pattern SHAPE = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|ms|s|m|h)?");

    @Override
    public Duration convert(String text) {
        Matcher matcher = SHAPE.matcher(text.trim());
        if (!matcher.matches()) {
            throw new CommandLine.TypeConversionException(
                    "'" + text + "' is no duration such as 250ms, 0.25, 10s, 5m or 1h");
        }
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        long nanosPerUnit = switch (unit) {
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
}
