package io.metricsaggregator.report.plot;

import io.metricsaggregator.snapshot.figures.Slices;

/** Draws a row of numbers as a line of bar characters. */
public final class Sparkline {
    private static final String UNICODE = " ▁▂▃▄▅▆▇█";
    private static final String ASCII = " .:-=+*#@";

    private Sparkline() {}

    /**
     * Draws the values, scaled to their maximum.
     *
     * @param values not negative, or {@link Slices#NOT_MEASURED}, which leaves a gap
     * @param width bars at most; neighbours share one, which shows the larger
     */
    public static String draw(long[] values, int width, boolean unicode) {
        int bars = Math.min(width, values.length);
        long top = 0;
        for (long value : values) {
            top = Math.max(top, value);
        }
        String levels = unicode ? UNICODE : ASCII;
        StringBuilder line = new StringBuilder(bars);
        for (int bar = 0; bar < bars; bar++) {
            long from = (long) bar * values.length / bars;
            long to = (long) (bar + 1) * values.length / bars;
            long largest = 0;
            for (long i = from; i < to; i++) {
                largest = Math.max(largest, values[(int) i]);
            }
            // Anything above 0 shows.
            int level = top == 0 || largest == 0
                    ? 0
                    : (int) Math.max(1, Math.round((double) largest / top * (levels.length() - 1)));
            line.append(levels.charAt(level));
        }
        return line.toString();
    }
}
