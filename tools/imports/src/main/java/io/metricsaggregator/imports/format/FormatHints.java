package io.metricsaggregator.imports.format;

import io.metricsaggregator.imports.SourceHead;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Files of known tools that no format reads, and what to do instead. Stateless. */
public final class FormatHints {
    /**
     * A kind of file.
     *
     * @param is whether the start of a file shows it
     * @param hint what it is and what to do, as the end of a sentence about the file
     */
    private record Hint(Predicate<SourceHead> is, String hint) {}

    private static final List<Hint> ALL = List.of(
            new Hint(head -> head.text().isEmpty(), "is empty"),
            new Hint(
                    FormatHints::isOldGuideLlm,
                    "was written by GuideLLM before 0.4, whose requests have no info.timings: run GuideLLM 0.4 or later"),
            new Hint(
                    head -> head.has("metadata.timestamp_ns") && !head.has("metadata.request_start_ns"),
                    "was written by AIPerf before 0.2, whose records have no metadata.request_start_ns: run AIPerf 0.2 or later"),
            new Hint(
                    FormatHints::isVegetaBinary,
                    "is Vegeta's binary format: convert it with vegeta encode --to json FILE"),
            new Hint(
                    head -> head.has("latencies", "bytes_in", "status_codes"),
                    "is a report of Vegeta without requests: import the results that vegeta encode --to json writes"),
            new Hint(
                    head -> head.firstLine().startsWith("Metric,")
                            && head.firstLine().contains("avg"),
                    "is AIPerf's CSV: import profile_export.jsonl, or profile_export_aiperf.json with --summary"),
            new Hint(
                    head -> head.firstLine().startsWith("metric_name,timestamp,metric_value"),
                    "is the CSV of k6: import what k6 run --out json=FILE writes"),
            new Hint(
                    head -> head.has("metrics", "root_group"),
                    "is a summary of k6 without requests: import what k6 run --out json=FILE writes"));

    private FormatHints() {}

    /** What a file is and what to do, as the end of a sentence about it; null if nothing is known of it. */
    public static @Nullable String of(SourceHead head) {
        return ALL.stream()
                .filter(each -> each.is().test(head))
                .map(Hint::hint)
                .findFirst()
                .orElse(null);
    }

    private static boolean isOldGuideLlm(SourceHead head) {
        String requests = "benchmarks[].requests.";
        return List.of("successful", "incomplete", "errored").stream()
                .map(status -> requests + status + "[].")
                .anyMatch(row -> (head.has(row + "scheduler_info") || head.has(row + "first_token_time"))
                        && !head.has(row + "info"));
    }

    /** A stream of Go's gob that begins with the type of a result: its name and those of its fields stand in it as text. */
    private static boolean isVegetaBinary(SourceHead head) {
        String text = head.text();
        return text.indexOf("Result") >= 0
                && text.indexOf("Result") < 64
                && List.of("Attack", "Seq", "Code", "Timestamp", "Latency", "BytesOut").stream()
                        .allMatch(text::contains)
                && !text.stripLeading().startsWith("{");
    }
}
