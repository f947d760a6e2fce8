package io.metricsaggregator.fold;

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
        Linear xfer = seconds(stats.xferMicros());
        Linear post = seconds(stats.postMicros());
        int timed = xfer.size();
        put(tree, "Avg xfer time (ms)", timed == 0 ? null : xfer.mean() * 1e3, 3, !current);
        put(tree, "P90 xfer time (ms)", timed == 0 ? null : xfer.percentile(90) * 1e3, 3, false);
        put(tree, "Avg post time (ms)", timed == 0 ? null : post.mean() * 1e3, 3, !current);
        put(tree, "P90 post time (ms)", timed == 0 ? null : post.percentile(90) * 1e3, 3, false);
        Linear mebibytes = new Linear();
        for (int i = 0; i < stats.bytes().size(); i++) {
            mebibytes.add(stats.bytes().get(i) / MIB);
        }
        boolean none = stats.ok() == 0;
        put(tree, "Avg MB per transfer", none ? null : mebibytes.sum() / stats.ok(), 3, !current);
        double total = xfer.sum();
        put(tree, "Throughput (MB/s)", none ? null : mebibytes.sum() / total, 3, !current);
        put(tree, "Avg number of descriptors", none ? null : stats.descriptors().mean(), 1, !current);
        if (current) {
            tree.put("Num failed transfers", stats.transportFailures());
            tree.put("Num KV expired reqs", stats.expired());
        }
        return tree;
    }

    /** Each value is made seconds before anything else, as upstream keeps them. */
    private static Linear seconds(Linear micros) {
        Linear seconds = new Linear();
        for (int i = 0; i < micros.size(); i++) {
            seconds.add(micros.get(i) / 1e6);
        }
        return seconds;
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
        return value.equals("Infinity") ? "inf" : value.equals("NaN") ? "nan" : value.toString();
    }
}
