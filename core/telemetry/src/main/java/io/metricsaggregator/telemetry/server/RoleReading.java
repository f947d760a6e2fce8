package io.metricsaggregator.telemetry.server;

import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a server exposes for one role over a span.
 *
 * @param frontend whether the server passes its requests on to engines
 * @param whole the role
 * @param parts the role's parts by name; empty if it has none
 * @param shareAboveZero of a gauge, the share of scrapes with a value above 0; null otherwise
 */
record RoleReading(
        boolean frontend,
        Value whole,
        Map<String, Value> parts,
        @Nullable Double shareAboveZero) {

    /** A gauge, a counter or a histogram. */
    sealed interface Value {
        ServerFigure figure();
    }

    /** A gauge over the span. */
    record Level(ServerFigure.Level figure) implements Value {}

    /** Growth of a counter over the span. */
    record Growth(ServerFigure.Growth figure) implements Value {
        Growth(double total) {
            this(new ServerFigure.Growth(total));
        }
    }

    /**
     * A histogram.
     *
     * @param scale factor from the exposed unit to the role's
     */
    record Buckets(HistogramGrowth growth, double scale) implements Value {
        @Override
        public ServerFigure figure() {
            return growth.figure(scale);
        }
    }

    /** The same of two servers; of a role whose types differ, the first server's. */
    RoleReading plus(RoleReading other, boolean ratio) {
        Map<String, Value> both = new TreeMap<>(parts);
        other.parts.forEach((part, value) -> both.merge(part, value, (a, b) -> plus(a, b, ratio)));
        Double share = shareAboveZero;
        Double more = other.shareAboveZero;
        return new RoleReading(
                frontend,
                plus(whole, other.whole, ratio),
                both,
                share == null ? more : more == null ? share : (Double) Math.max(share, more));
    }

    private static Value plus(Value a, Value b, boolean ratio) {
        if (a instanceof Growth one && b instanceof Growth two) {
            return new Growth(one.figure().total() + two.figure().total());
        }
        if (a instanceof Level one && b instanceof Level two) {
            ServerFigure.Level first = one.figure();
            ServerFigure.Level second = two.figure();
            return new Level(new ServerFigure.Level(
                    ratio ? Math.max(first.mean(), second.mean()) : first.mean() + second.mean(),
                    Math.max(first.max(), second.max()),
                    ratio ? Math.max(first.last(), second.last()) : first.last() + second.last()));
        }
        if (a instanceof Buckets one && b instanceof Buckets two && one.scale() == two.scale()) {
            HistogramGrowth sum = new HistogramGrowth();
            sum.add(one.growth());
            sum.add(two.growth());
            return new Buckets(sum, one.scale());
        }
        return a;
    }
}
