package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keyed operations by name, source and key.
 *
 * @param tree the state as maps, lists, strings and numbers; large parts may be views
 */
public record OperationSnapshot(Map<String, @Nullable Object> tree) implements TelemetrySnapshot {
    @SuppressWarnings("unchecked") // keys of decoded maps are strings; another one is never looked up
    static OperationSnapshot read(String path, Object tree) throws MalformedMessageException {
        if (tree instanceof Map<?, ?> map) {
            return new OperationSnapshot((Map<String, @Nullable Object>) map);
        }
        throw new MalformedMessageException(
                path + " should be a map, is " + tree.getClass().getSimpleName());
    }

    @Override
    public TelemetryKind kind() {
        return TelemetryKind.OPERATION;
    }
}
