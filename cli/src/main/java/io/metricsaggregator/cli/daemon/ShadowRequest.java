package io.metricsaggregator.cli.daemon;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the hook says of an aggregator that the tool starts.
 *
 * @param folder working directory of the aggregator
 * @param arguments its arguments
 */
record ShadowRequest(Path folder, List<String> arguments) {
    private static final String OUTPUT = "--metrics-output-dir";
    private static final String METRICS = "--metrics-socket";
    private static final List<String> READINESS = List.of("--readiness-path", "--readiness-id");

    ShadowRequest {
        arguments = List.copyOf(arguments);
    }

    /**
     * Reads a line of the hook: a JSON object with {@code folder} and {@code arguments}.
     *
     * @throws MalformedMessageException if it is none
     */
    static ShadowRequest parse(String line) throws MalformedMessageException {
        Map<String, ?> fields = JsonTree.readLenient(line.getBytes(StandardCharsets.UTF_8));
        List<String> words = new ArrayList<>();
        if (fields.get("folder") instanceof String folder && fields.get("arguments") instanceof List<?> all) {
            for (Object each : all) {
                words.add(String.valueOf(each));
            }
            return new ShadowRequest(Path.of(folder), words);
        }
        throw new MalformedMessageException("the hook sent no folder and arguments");
    }

    /** The folder of the aggregator's own final snapshot; null if the arguments do not name one. */
    @Nullable
    Path output() {
        for (int i = 0; i < arguments.size(); i++) {
            String each = arguments.get(i);
            if (each.equals(OUTPUT) && i + 1 < arguments.size()) {
                return folder.resolve(arguments.get(i + 1));
            }
            if (each.startsWith(OUTPUT + "=")) {
                return folder.resolve(each.substring(OUTPUT.length() + 1));
            }
        }
        return null;
    }

    /**
     * The arguments of a daemon beside the aggregator: the same events and settings, with its own folder and socket, and without the
     * readiness signal, which stays the aggregator's.
     *
     * @param ours folder of our final snapshot
     */
    List<String> daemonArguments(Path ours) {
        List<String> daemon = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String each = arguments.get(i);
            int equals = each.indexOf('=');
            String name = equals < 0 ? each : each.substring(0, equals);
            boolean valued = name.equals(OUTPUT) || name.equals(METRICS) || READINESS.contains(name);
            if (!valued) {
                daemon.add(each);
                continue;
            }
            String value =
                    equals >= 0 ? each.substring(equals + 1) : i + 1 < arguments.size() ? arguments.get(++i) : "";
            if (name.equals(OUTPUT)) {
                daemon.addAll(List.of(OUTPUT, ours.toString()));
            } else if (name.equals(METRICS)) {
                daemon.addAll(List.of(METRICS, value + "_shadow"));
            }
        }
        daemon.add("--exit-with-parent");
        return daemon;
    }
}
