package io.metricsaggregator.cli.files;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that only some formats read, by their names without dashes. */
public final class ImportFormatOptions {
    @Option(
            names = "--k6-from",
            paramLabel = "START",
            description =
                    "k6: start of a request. sending: when it is sent; blocked: when it begins to wait for a connection."
                            + " Default: sending.")
    private @Nullable String k6From;

    @Option(names = "--first-byte", description = "k6: take the first byte of an answer as its first token.")
    private boolean firstByte;

    @Option(
            names = "--sse-skip",
            paramLabel = "N",
            description =
                    "k6 with xk6-sse: events of each answer that hold no content, such as first=1,last=1 for the role and"
                            + " [DONE]. Default: none.")
    private @Nullable String sseSkip;

    @Option(
            names = "--tag",
            paramLabel = "NAME=VALUE",
            description = "k6: import only requests with this tag. Default: all.")
    private @Nullable String tag;

    /** The options given, for {@link io.metricsaggregator.imports.ImportOptions#formatOption}. */
    public Map<String, String> values() {
        Map<String, String> given = new TreeMap<>();
        put(given, "k6-from", k6From);
        put(given, "first-byte", firstByte ? "true" : null);
        put(given, "sse-skip", sseSkip);
        put(given, "tag", tag);
        return given;
    }

    private static void put(Map<String, String> given, String name, @Nullable String value) {
        if (value != null) {
            given.put(name, value);
        }
    }
}
