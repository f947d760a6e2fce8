package io.metricsaggregator.otlp;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that forgets its oldest entries beyond a bound. */
final class Recent<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int most;

    Recent(int most) {
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
