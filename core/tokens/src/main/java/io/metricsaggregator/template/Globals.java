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

/** The global functions of every template: those of Jinja and those that transformers adds. */
final class Globals {
    /** The limit of Jinja's sandbox. */
    private static final int RANGE_MAX = 100_000;

    private Globals() {}

    static Map<String, @Nullable Object> all(Budget budget) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("range", (Values.Function) (arguments, named) -> range(arguments, budget));
        all.put("namespace", (Values.Function) (arguments, named) -> {
            Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
            if (!arguments.isEmpty() && arguments.get(0) instanceof Map<?, ?> given) {
                budget.makeElements(given.size());
                given.forEach((key, value) -> attributes.put(Repr.text(key, budget), value));
            }
            attributes.putAll(named);
            return new Values.Namespace(attributes);
        });
        all.put("dict", (Values.Function) (arguments, named) -> {
            Map<Object, @Nullable Object> made = new LinkedHashMap<>();
            if (!arguments.isEmpty() && arguments.get(0) instanceof Map<?, ?> given) {
                budget.makeElements(given.size());
                made.putAll(given);
            } else if (!arguments.isEmpty()) {
                putPairs(arguments.get(0), made, budget);
            }
            made.putAll(named);
            return made;
        });
        all.put("raise_exception", (Values.Function) (arguments, named) -> {
            throw new TemplateException(arguments.isEmpty() ? "raise_exception" : Repr.text(arguments.get(0), budget));
        });
        all.put("strftime_now", (Values.Function) (arguments, named) -> {
            String format = Repr.text(arguments.get(0), budget);
            budget.make(8L * format.length());
            return time(format, ZonedDateTime.now(ZoneId.systemDefault()));
        });
        all.put("joiner", (Values.Function)
                (arguments, named) -> joiner(arguments.isEmpty() ? ", " : arguments.get(0)));
        return all;
    }

    private static void putPairs(@Nullable Object pairs, Map<Object, @Nullable Object> into, Budget budget) {
        for (Object each : Values.elements(pairs, budget)) {
            List<@Nullable Object> pair = Values.elements(each, budget);
            if (pair.size() != 2) {
                throw new TemplateException("dict() expects pairs");
            }
            Comparison.hasKey(into, pair.get(0), budget);
            into.put(pair.get(0), pair.get(1));
        }
    }

    /** Returns a function that answers an empty string at its first call and the separator from then on. */
    private static Values.Function joiner(@Nullable Object separator) {
        boolean[] used = new boolean[1];
        return (arguments, named) -> {
            Object answer = used[0] ? separator : "";
            used[0] = true;
            return answer;
        };
    }

    private static Values.View range(List<@Nullable Object> arguments, Budget budget) {
        long from = arguments.size() > 1 ? Values.integer(arguments.get(0)) : 0;
        long to = Values.integer(arguments.get(arguments.size() > 1 ? 1 : 0));
        long step = arguments.size() > 2 ? Values.integer(arguments.get(2)) : 1;
        if (step == 0) {
            throw new TemplateException("range() step must not be zero");
        }
        long size = step > 0 ? spans(from, to, step) : spans(to, from, -step);
        if (size > RANGE_MAX) {
            throw new TemplateException("a range has more than " + RANGE_MAX + " elements");
        }
        budget.makeElements(size);
        List<@Nullable Object> made = new ArrayList<>();
        for (long i = 0; i < size; i++) {
            made.add(from + i * step);
        }
        return new Values.View("range", "range(" + from + ", " + to + (step == 1 ? "" : ", " + step) + ")", made);
    }

    private static long spans(long low, long high, long step) {
        try {
            return low >= high ? 0 : (Math.subtractExact(high, low) - 1) / step + 1;
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Formats a time like {@code datetime.strftime}, for the codes that templates use. */
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
            // A naive datetime, as datetime.now() returns it, prints no zone.
            case 'Z', 'z' -> "";
            case '%' -> "%";
            default -> throw new TemplateException("strftime_now: '%" + code + "' is not supported");
        };
    }
}
