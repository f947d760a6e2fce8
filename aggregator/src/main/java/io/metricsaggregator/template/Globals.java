package io.metricsaggregator.template;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The functions every template knows: Jinja's, and those that transformers adds. */
final class Globals {
    /** As in Jinja's sandbox. */
    private static final int RANGE_MAX = 100_000;

    private Globals() {}

    static Map<String, @Nullable Object> all(Budget budget) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("range", (Values.Function) (arguments, named) -> range(arguments, budget));
        all.put("namespace", (Values.Function) (arguments, named) -> {
            Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
            if (!arguments.isEmpty() && arguments.get(0) instanceof Map<?, ?> given) {
                given.forEach((key, value) -> attributes.put(Values.text(key), value));
            }
            attributes.putAll(named);
            return new Values.Namespace(attributes);
        });
        all.put("dict", (Values.Function) (arguments, named) -> {
            Map<Object, @Nullable Object> made = new LinkedHashMap<>();
            if (!arguments.isEmpty() && arguments.get(0) instanceof Map<?, ?> given) {
                made.putAll(given);
            }
            made.putAll(named);
            return made;
        });
        all.put("raise_exception", (Values.Function) (arguments, named) -> {
            throw new TemplateException(arguments.isEmpty() ? "raise_exception" : Values.text(arguments.get(0)));
        });
        all.put("strftime_now", (Values.Function)
                (arguments, named) -> time(Values.text(arguments.get(0)), ZonedDateTime.now(ZoneId.systemDefault())));
        return all;
    }

    private static List<@Nullable Object> range(List<@Nullable Object> arguments, Budget budget) {
        long from = arguments.size() > 1 ? Values.integer(arguments.get(0)) : 0;
        long to = Values.integer(arguments.get(arguments.size() > 1 ? 1 : 0));
        long step = arguments.size() > 2 ? Values.integer(arguments.get(2)) : 1;
        if (step == 0) {
            throw new TemplateException("range step cannot be zero");
        }
        List<@Nullable Object> made = new ArrayList<>();
        for (long i = from; step > 0 ? i < to : i > to; i += step) {
            if (made.size() == RANGE_MAX) {
                throw new TemplateException("a range is longer than " + RANGE_MAX);
            }
            made.add(i);
        }
        budget.makeElements(made.size());
        return made;
    }

    /** {@code datetime.strftime}, as far as templates use it. */
    static String time(String format, ZonedDateTime now) {
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char c = format.charAt(i);
            if (c != '%' || i + 1 == format.length()) {
                made.append(c);
                continue;
            }
            boolean bare = format.charAt(i + 1) == '-' && i + 2 < format.length();
            i += bare ? 2 : 1;
            made.append(field(format.charAt(i), now, bare));
        }
        return made.toString();
    }

    private static String field(char code, ZonedDateTime now, boolean bare) {
        String digits = bare ? "%d" : "%02d";
        return switch (code) {
            case 'Y' -> Integer.toString(now.getYear());
            case 'y' -> String.format(Locale.ROOT, digits, now.getYear() % 100);
            case 'm' -> String.format(Locale.ROOT, digits, now.getMonthValue());
            case 'd' -> String.format(Locale.ROOT, digits, now.getDayOfMonth());
            case 'e' -> String.format(java.util.Locale.ROOT, "%2d", now.getDayOfMonth());
            case 'H' -> String.format(Locale.ROOT, digits, now.getHour());
            case 'I' -> String.format(Locale.ROOT, digits, (now.getHour() + 11) % 12 + 1);
            case 'M' -> String.format(Locale.ROOT, digits, now.getMinute());
            case 'S' -> String.format(Locale.ROOT, digits, now.getSecond());
            case 'j' -> String.format(Locale.ROOT, bare ? "%d" : "%03d", now.getDayOfYear());
            case 'p' -> now.getHour() < 12 ? "AM" : "PM";
            case 'B' -> now.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case 'b' -> now.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
            case 'A' -> now.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case 'a' -> now.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
            // datetime.now() has no zone.
            case 'Z', 'z' -> "";
            case '%' -> "%";
            default -> throw new TemplateException("strftime_now: '%" + code + "' is not supported");
        };
    }
}
