package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Python's slices: {@code of[from:to:by]}. */
final class Slices {
    private Slices() {}

    static Object slice(
            @Nullable Object of, @Nullable Object from, @Nullable Object to, @Nullable Object by, Budget budget) {
        if (!(of instanceof List || of instanceof String) || (of instanceof Values.View view && !view.isIndexed())) {
            throw new TemplateException(Values.typeName(of) + " does not support slices");
        }
        long step = by == null ? 1 : Values.integer(by);
        if (step == 0) {
            throw new TemplateException("slice step must not be zero");
        }
        int length = (int) Values.length(of, budget);
        long low = step > 0 ? 0 : -1;
        long high = step > 0 ? length : length - 1;
        long start = place(from, step > 0 ? low : high, length, low, high);
        long end = place(to, step > 0 ? high : low, length, low, high);
        if (of instanceof String text && step == 1) {
            return start >= end ? "" : part(text, (int) start, (int) end, budget);
        }
        List<@Nullable Object> made = new ArrayList<>();
        List<@Nullable Object> elements = Values.elements(of, budget);
        budget.makeElements(length);
        for (long i = start; step > 0 ? i < end : i > end; i += step) {
            made.add(elements.get((int) i));
        }
        if (of instanceof String) {
            StringBuilder text = new StringBuilder();
            made.forEach(text::append);
            return text.toString();
        }
        return of instanceof Values.Tuple ? new Values.Tuple(made) : made;
    }

    private static String part(String text, int start, int end, Budget budget) {
        boolean plain = text.codePointCount(0, text.length()) == text.length();
        budget.read(plain ? 0 : 4L * text.length());
        int from = plain ? start : text.offsetByCodePoints(0, start);
        int to = plain ? end : text.offsetByCodePoints(from, end - start);
        budget.make(to - from);
        return text.substring(from, to);
    }

    private static long place(@Nullable Object index, long fallback, int length, long low, long high) {
        if (index == null) {
            return fallback;
        }
        long given = Values.integer(index);
        return Math.max(low, Math.min(high, given < 0 ? given + length : given));
    }
}
