package io.metricsaggregator.telemetry.transfer;

import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The figures that vLLM's NIXL connector logs, by the formulas and the rounding of its two versions: the first rounds numpy numbers
 * ({@code rint(x·10ᵏ)/10ᵏ}, but the 90th percentiles as Python does), the current one all of them as Python does.
 */
final class TransferCompat {
    private static final double MIB = 1 << 20;

    private TransferCompat() {}

    /** Null where the logger prints nothing. */
    static @Nullable Map<String, Object> of(TransferStats stats, boolean current) {
        if (stats.isEmpty()) {
            return null;
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Num successful transfers", stats.ok());
        // Each value is made seconds before anything else, as upstream keeps them.
        InterpolatedStatistics xfer = stats.xferMicros().over(1e6);
        InterpolatedStatistics post = stats.postMicros().over(1e6);
        // Without a transfer upstream writes integer zeros; the mean of no known time is numpy's nan, and no zero.
        boolean any = stats.ok() > 0;
        put(tree, "Avg xfer time (ms)", any ? xfer.mean() * 1e3 : null, 3, !current);
        put(tree, "P90 xfer time (ms)", any ? xfer.percentile(90) * 1e3 : null, 3, false);
        put(tree, "Avg post time (ms)", any ? post.mean() * 1e3 : null, 3, !current);
        put(tree, "P90 post time (ms)", any ? post.percentile(90) * 1e3 : null, 3, false);
        put(tree, "Avg MB per transfer", any ? stats.bytes().over(MIB).sum() / stats.ok() : null, 3, !current);
        put(tree, "Throughput (MB/s)", any ? stats.timedBytes() / MIB / xfer.sum() : null, 3, !current);
        put(tree, "Avg number of descriptors", any ? stats.descriptors().mean() : null, 1, !current);
        if (current) {
            tree.put("Num failed transfers", stats.transportFailures());
            tree.put("Num KV expired reqs", stats.expired());
        }
        return tree;
    }

    private static void put(Map<String, Object> tree, String key, @Nullable Double value, int digits, boolean numpy) {
        if (value == null) {
            tree.put(key, 0L);
            return;
        }
        if (!Double.isFinite(value)) {
            // Upstream divides by no time at all; JSON has no word for it.
            tree.put(key, value.isNaN() ? "NaN" : "Infinity");
            return;
        }
        double scale = Math.pow(10, digits);
        tree.put(
                key,
                numpy
                        ? Math.rint(value * scale) / scale
                        : new BigDecimal(value)
                                .setScale(digits, RoundingMode.HALF_EVEN)
                                .doubleValue());
    }

    /** The line vLLM logs; null where it logs none. */
    static @Nullable String line(@Nullable Map<String, Object> compat) {
        return compat == null
                ? null
                : "KV Transfer metrics: "
                        + compat.entrySet().stream()
                                .map(each -> each.getKey() + "=" + python(each.getValue()))
                                .collect(Collectors.joining(", "));
    }

    private static String python(Object value) {
        return value.equals("Infinity")
                ? "inf"
                : value.equals("NaN")
                        ? "nan"
                        : value instanceof Double real ? PythonFloat.repr(real) : value.toString();
    }
}
