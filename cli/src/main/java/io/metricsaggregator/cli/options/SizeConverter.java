package io.metricsaggregator.cli.options;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/**
 * Parses sizes into bytes: {@code 4096}, {@code 512b}, {@code 64k}, {@code 16MiB}, {@code 2g}; k, m and g are powers of 1024. A bare number
 * is bytes; one below 4096 is rejected, because it is probably meant in another unit.
 */
public final class SizeConverter implements CommandLine.ITypeConverter<Long> {
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,12})(?:(b)|([kmg])(?:i?b)?)?");
    private static final long BARE_MIN = 4096;

    @Override
    public Long convert(String text) {
        Matcher matcher = SHAPE.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new CommandLine.TypeConversionException(
                    "'" + text + "' is not a size such as 4096, 64k, 16MiB or 2g");
        }
        long number = Long.parseLong(matcher.group(1));
        boolean bare = matcher.group(2) == null && matcher.group(3) == null;
        if (bare && number > 0 && number < BARE_MIN) {
            throw new CommandLine.TypeConversionException(
                    "'" + text + "' has no unit: write " + number + "m, or " + number + "b for bytes");
        }
        int shift = switch (matcher.group(3) == null ? "" : matcher.group(3)) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
        };
        return number << shift;
    }
}
