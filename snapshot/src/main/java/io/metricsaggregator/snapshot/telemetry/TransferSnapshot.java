package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * KV-cache transfers of the run and of the last interval.
 *
 * @param tree the state as maps, lists, strings and numbers; large parts may be views
 */
public record TransferSnapshot(Map<String, @Nullable Object> tree) implements TelemetrySnapshot {
    @SuppressWarnings("unchecked") // keys of decoded maps are strings; another one is never looked up
    static TransferSnapshot read(String path, Object tree) throws MalformedMessageException {
        if (tree instanceof Map<?, ?> map) {
            return new TransferSnapshot((Map<String, @Nullable Object>) map);
        }
        throw new MalformedMessageException(
                path + " should be a map, is " + tree.getClass().getSimpleName());
    }

    @Override
    public TelemetryKind kind() {
        return TelemetryKind.TRANSFER;
    }
}
