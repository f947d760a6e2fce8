package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.flag;
import static io.metricsaggregator.snapshot.fields.TreeValues.integer;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a {@link SessionInfo} to and from a map. */
final class SessionInfoCodec {
    private SessionInfoCodec() {}

    static Map<String, @Nullable Object> of(SessionInfo session) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("started", session.started());
        tree.put("tracking", session.tracking());
        tree.put("interrupted", session.interrupted());
        tree.put("super_pass_size", session.superPassSize());
        return tree;
    }

    static SessionInfo read(Map<?, ?> tree) throws MalformedMessageException {
        Object size = tree.get("super_pass_size");
        return new SessionInfo(
                flag("session.started", tree.get("started")),
                flag("session.tracking", tree.get("tracking")),
                flag("session.interrupted", tree.get("interrupted")),
                size == null ? null : (Long) integer("session.super_pass_size", size));
    }
}
