package io.metricsaggregator.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Sizes in bytes as people write them: {@code 4096}, {@code 64k}, {@code 16MiB}, {@code 2g}; k, m and g are powers of 1024. */
final class SizeConverter implements CommandLine.ITypeConverter<Long> {
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,12})(?:([kmg])(?:i?b)?)?");

    @Override
    public Long convert(String text) {
        Matcher matcher = SHAPE.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new CommandLine.TypeConversionException("'" + text + "' is no size such as 4096, 64k, 16MiB or 2g");
        }
        String unit = matcher.group(2) == null ? "" : matcher.group(2);
        int shift = switch (unit) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
        };
        return Long.parseLong(matcher.group(1)) << shift;
    }
}
