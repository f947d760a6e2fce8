package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.real;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts {@link Nodes} to and from the keys {@code nodes}, {@code nodes_expected}, {@code nodes_linger_s}, {@code nodes_repeated} and {@code nodes_discarded}. */
final class NodesCodec {
    private NodesCodec() {}

    /** Reads the rows and the counts beside them; null for the snapshot of a single daemon. */
    @SuppressWarnings("NullAway") // It does not infer that the type argument is nullable.
    static @Nullable Nodes read(Sections from) throws MalformedMessageException {
        List<NodeRow> rows = from.section("nodes", NodesCodec::rows);
        return rows == null
                ? null
                : new Nodes(
                        rows,
                        from.section(
                                "nodes_expected",
                                expected -> expected == null ? null : (Long) integer("nodes_expected", expected)),
                        from.section(
                                "nodes_linger_s",
                                linger -> linger == null ? null : (Double) real("nodes_linger_s", linger)),
                        from.section("nodes_repeated", repeated -> later("nodes_repeated", repeated)),
                        from.section("nodes_discarded", discarded -> later("nodes_discarded", discarded)));
    }

    private static @Nullable List<NodeRow> rows(@Nullable Object value) throws MalformedMessageException {
        if (value == null) {
            return null;
        }
        return TreeReader.readList("nodes", value, NodeRow::pass, NodeRow.BLANK);
    }

    private static long later(String field, @Nullable Object value) throws MalformedMessageException {
        return value == null ? 0 : integer(field, value);
    }
}
