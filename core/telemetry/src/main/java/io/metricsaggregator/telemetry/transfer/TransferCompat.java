package io.metricsaggregator.telemetry.transfer;

import io.metricsaggregator.snapshot.telemetry.NixlFigure;
import io.metricsaggregator.snapshot.telemetry.TransferSnapshot;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The figures that vLLM's connectors log, by the formulas and the rounding of their versions: the first rounds numpy numbers
 * ({@code rint(x·10ᵏ)/10ᵏ}, but the 90th percentiles as Python does), later ones all of them as Python does.
 */
final class TransferCompat {
    private static final double MIB = 1 << 20;

    /** Versions of the connectors' log line. */
    enum Version {
        /** The first: no failures. */
        SEED,
        /** With failures and expired requests. */
        CURRENT,
        /** That of vLLM 0.33.0: with notifications after expiry; Mooncake's has failed receives and no post times instead. */
        RELEASED
    }

    private TransferCompat() {}

    /** What a version of the connector logs; null if it logs nothing, because no transfer ended. */
    static TransferSnapshot.@Nullable Logged of(TransferStats stats, Version version) {
        boolean current = version != Version.SEED;
        Long receivesFailed = version == Version.RELEASED ? stats.receivesFailed() : null;
        if (stats.isEmpty()) {
            return null;
        }
        Map<NixlFigure, Number> figures = new EnumMap<>(NixlFigure.class);
        figures.put(NixlFigure.SUCCESSFUL, stats.ok());
        // Upstream holds seconds: each value is converted before anything else is computed.
        InterpolatedStatistics xfer = stats.xferMicros().over(1e6);
        InterpolatedStatistics post = stats.postMicros().over(1e6);
        // Without a transfer upstream writes integer zeros; the mean of no known time is numpy's nan.
        boolean any = stats.ok() > 0;
        put(figures, NixlFigure.XFER_MEAN, any ? xfer.mean() * 1e3 : null, 3, !current);
        put(figures, NixlFigure.XFER_P90, any ? xfer.percentile(90) * 1e3 : null, 3, false);
        if (receivesFailed == null) {
            put(figures, NixlFigure.POST_MEAN, any ? post.mean() * 1e3 : null, 3, !current);
            put(figures, NixlFigure.POST_P90, any ? post.percentile(90) * 1e3 : null, 3, false);
        }
        put(figures, NixlFigure.MEBIBYTES_MEAN, any ? stats.bytes().over(MIB).sum() / stats.ok() : null, 3, !current);
        put(figures, NixlFigure.THROUGHPUT, any ? stats.timedBytes() / MIB / xfer.sum() : null, 3, !current);
        put(figures, NixlFigure.DESCRIPTORS_MEAN, any ? stats.descriptors().mean() : null, 1, !current);
        if (current) {
            figures.put(NixlFigure.FAILED, receivesFailed == null ? stats.transportFailures() : stats.failedAlone());
            figures.put(NixlFigure.EXPIRED, stats.expired());
        }
        if (receivesFailed != null) {
            figures.put(NixlFigure.FAILED_RECEIVES, receivesFailed);
        } else if (version == Version.RELEASED) {
            figures.put(NixlFigure.AFTER_EXPIRY, stats.notifiedAfterExpiry());
        }
        return new TransferSnapshot.Logged(figures, line(figures));
    }

    /** A number rounded to some decimal digits, the way of numpy or of Python. Infinity and NaN stay: upstream divides by no time at all. */
    private static void put(
            Map<NixlFigure, Number> figures, NixlFigure figure, @Nullable Double value, int digits, boolean numpy) {
        if (value == null) {
            figures.put(figure, 0L);
        } else if (!Double.isFinite(value)) {
            figures.put(figure, value);
        } else {
            double scale = Math.pow(10, digits);
            figures.put(
                    figure,
                    numpy
                            ? Math.rint(value * scale) / scale
                            : new BigDecimal(value)
                                    .setScale(digits, RoundingMode.HALF_EVEN)
                                    .doubleValue());
        }
    }

    private static String line(Map<NixlFigure, Number> figures) {
        return "KV Transfer metrics: "
                + figures.entrySet().stream()
                        .map(each -> each.getKey().wireName() + "=" + python(each.getValue()))
                        .collect(Collectors.joining(", "));
    }

    private static String python(Number value) {
        return value instanceof Double real ? PythonFloat.repr(real) : value.toString();
    }
}
