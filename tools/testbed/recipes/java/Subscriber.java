import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Subscriber in Java with the library metrics-aggregator-subscriber. Prints the snapshots of one case of check-subscriber. */
public final class Subscriber {
    private Subscriber() {}

    public static void main(String[] arguments) throws Exception {
        List<Endpoint> endpoints = List.of(Endpoint.parse(System.getenv("MA_ENDPOINT"), false));
        try (SnapshotSubscriber subscriber =
                new SnapshotSubscriber(endpoints, TransportOptions.defaults(), SnapshotSubscriber.Mode.EVERY)) {
            MetricsSnapshot snapshot;
            do {
                snapshot = subscriber.next(Duration.ofSeconds(30));
                if (snapshot == null) {
                    throw new IllegalStateException("no snapshot within 30 s");
                }
                System.out.write(JsonTree.writeLine(tagged(readable(snapshot))));
                System.out.println();
            } while (!snapshot.state().isTerminal());
        }
    }

    /** The snapshot with metrics by name. */
    private static Map<String, Object> readable(MetricsSnapshot snapshot) throws Exception {
        Map<String, Object> all = new LinkedHashMap<>(JsonTree.read(new JsonSnapshotCodec().encode(snapshot)));
        Map<String, Object> metrics = new LinkedHashMap<>();
        for (Object each : (List<?>) all.get("metrics")) {
            Map<?, ?> metric = (Map<?, ?>) each;
            boolean counter = metric.get("type").equals("counter");
            metrics.put((String) metric.get("name"), counter ? metric.get("value") : metric);
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        for (String key : List.of("counter", "timestamp_ns", "state", "n_pending_tasks")) {
            shown.put(key, all.get(key));
        }
        shown.put("metrics", metrics);
        return shown;
    }

    private static Object tagged(Object value) {
        if (value instanceof Number number) {
            return Map.of(number instanceof Double ? "$float" : "$int", number.toString());
        }
        if (value instanceof List<?> list) {
            List<Object> tagged = new ArrayList<>();
            list.forEach(each -> tagged.add(tagged(each)));
            return tagged;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> tagged = new LinkedHashMap<>();
            map.forEach((key, each) -> tagged.put((String) key, tagged(each)));
            return tagged;
        }
        return value;
    }
}
