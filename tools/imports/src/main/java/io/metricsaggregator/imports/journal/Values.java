package io.metricsaggregator.imports.journal;

import io.metricsaggregator.imports.ToolCheck;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of one series, for statistics by a tool's own rules: all of them up to {@link #KEPT_MAX}, beyond that their count, sum, mean,
 * extremes and standard deviation. One thread.
 */
public final class Values {
    static final int KEPT_MAX = 1 << 24;

    private double[] kept = new double[64];
    private boolean sorted = true;
    private long count;
    private double sum;
    private double mean;
    private double squares;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;

    /** Adds a value. */
    public void add(double value) {
        if (count < KEPT_MAX) {
            int at = (int) count;
            if (at == kept.length) {
                kept = Arrays.copyOf(kept, 2 * at);
            }
            kept[at] = value;
            sorted = false;
        }
        count++;
        sum += value;
        double delta = value - mean;
        mean += delta / count;
        squares += delta * (value - mean);
        min = Math.min(min, value);
        max = Math.max(max, value);
    }

    /** Computes a statistic; null without values, and for a percentile of more than {@link #KEPT_MAX} values. */
    public @Nullable Double statistic(ToolCheck.Statistic statistic) {
        if (statistic instanceof ToolCheck.Statistic.Simple simple) {
            return simple(simple);
        }
        if (count == 0 || count > KEPT_MAX) {
            return null;
        }
        if (!sorted) {
            Arrays.sort(kept, 0, (int) count);
            sorted = true;
        }
        return statistic instanceof ToolCheck.Statistic.Linear linear
                ? linear(linear.percent())
                : firstReached(((ToolCheck.Statistic.FirstReached) statistic).percent());
    }

    private @Nullable Double simple(ToolCheck.Statistic.Simple statistic) {
        return switch (statistic) {
            case COUNT -> (double) count;
            case SUM -> sum;
            case MEAN -> count == 0 ? null : (Double) mean;
            case MIN -> count == 0 ? null : (Double) min;
            case MAX -> count == 0 ? null : (Double) max;
            case STD -> count == 0 ? null : (Double) Math.sqrt(squares / count);
            case SAMPLE_STD -> count < 2 ? null : (Double) Math.sqrt(squares / (count - 1));
        };
    }

    private double linear(double percent) {
        double place = percent / 100 * (count - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(below + 1, (int) count - 1);
        return kept[below] + (kept[above] - kept[below]) * (place - below);
    }

    /** Adds the shares of equal values up in doubles, as GuideLLM does: at a tie its rounding decides. */
    private double firstReached(double percent) {
        double share = 0;
        int index = 0;
        while (true) {
            int next = index + 1;
            while (next < count && kept[next] == kept[index]) {
                next++;
            }
            share += (next - index) / (double) count;
            if (share >= percent / 100 || next == count) {
                return kept[index];
            }
            index = next;
        }
    }
}
