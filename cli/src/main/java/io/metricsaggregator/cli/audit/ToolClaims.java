package io.metricsaggregator.cli.audit;

import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.journal.Values;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a tool's files claim: figures with their definitions, requests, counts. Of files with several runs the first counts. A file without
 * figures makes the claims that its requests add up to. One thread.
 */
final class ToolClaims implements ImportSink {
    private static final List<Statistic> STATISTICS = List.of(
            Statistic.Simple.MEAN,
            new Statistic.Linear(50),
            new Statistic.Linear(90),
            new Statistic.Linear(99),
            Statistic.Simple.MAX);
    private static final double MILLI = 1e6;

    private final Map<String, ToolCheck> checks = new LinkedHashMap<>();
    private final List<ToolCheck> summaries = new ArrayList<>();
    private final List<Long> issues = new ArrayList<>();
    private final Map<String, Values> rows = new LinkedHashMap<>();
    private final Map<String, Long> counters = new HashMap<>();
    private SourceKind kind = SourceKind.CHUNKS;
    private String tool = "";
    private String version = "";
    private long succeeded;
    private long failed;
    private long open;
    private long ofConversations;
    private final Set<String> conversations = new HashSet<>();
    private int parts;
    private @Nullable String interruption;

    /**
     * Reads the files of one run.
     *
     * @throws IOException if one cannot be read
     * @throws IllegalArgumentException if no format recognises the first
     */
    static ToolClaims read(List<Path> files) throws IOException {
        ToolClaims claims = new ToolClaims();
        List<ImportSource> sources = new ArrayList<>();
        try {
            for (Path file : files) {
                sources.add(ImportSource.open(file));
            }
            ImportFormat format = Formats.recognising(sources.get(0).head());
            if (format == null) {
                throw new IllegalArgumentException("no format recognises " + files.get(0));
            }
            claims.tool = format.tool();
            claims.read(format, ImportOptions.DEFAULT, sources);
            if (claims.requests() == 0 && claims.checks.isEmpty() && claims.summaries.isEmpty()) {
                List<ImportSource> again = new ArrayList<>();
                for (Path file : files) {
                    ImportSource source = ImportSource.open(file);
                    sources.add(source);
                    again.add(source);
                }
                claims.parts = 0;
                ImportOptions summary = new ImportOptions(
                        ImportOptions.ANY_PART,
                        ImportOptions.Warmup.UNTRACKED,
                        ImportOptions.End.HEADLINE,
                        false,
                        null,
                        Map.of(ImportOptions.SUMMARY, "true"));
                claims.read(format, summary, again);
            }
            return claims;
        } finally {
            for (ImportSource source : sources) {
                source.close();
            }
        }
    }

    private void read(ImportFormat format, ImportOptions options, List<ImportSource> sources) throws IOException {
        var reader = format.reader(options);
        for (ImportSource source : sources) {
            reader.read(source, this);
        }
        reader.finish(this);
    }

    /** The figures, each with its definition. */
    List<ToolCheck> figures() {
        List<ToolCheck> all = new ArrayList<>(checks.values());
        all.addAll(summaries);
        if (all.isEmpty()) {
            rows.forEach((series, values) -> {
                if (series.equals("usage_completion_tokens")) {
                    add(all, "output tokens", values, series, Statistic.Simple.SUM, 1);
                    return;
                }
                for (Statistic statistic : STATISTICS) {
                    String name = series.replace("_ns", "") + " " + name(statistic) + ", ms";
                    add(all, name, values, series, statistic, MILLI);
                }
            });
        }
        return all;
    }

    private static void add(
            List<ToolCheck> all, String name, Values values, String series, Statistic statistic, double unit) {
        Double value = values.statistic(statistic);
        if (value != null) {
            all.add(new ToolCheck(name, value / unit, series, statistic, unit, ToolCheck.EXACT));
        }
    }

    private static String name(Statistic statistic) {
        return statistic instanceof Statistic.Linear linear
                ? "p" + String.valueOf(linear.percent()).replaceFirst("\\.0$", "")
                : statistic instanceof Statistic.FirstReached first
                        ? "p" + String.valueOf(first.percent()).replaceFirst("\\.0$", "")
                        : String.valueOf(statistic).toLowerCase(Locale.ROOT);
    }

    /** Requests that the tool says it sent, without its warm-up. */
    long requests() {
        Long issued = counters.get("tracked_samples_issued");
        return succeeded + failed + open == 0 && issued != null ? issued : succeeded + failed + open;
    }

    /** Requests that the tool says failed. */
    long failed() {
        Long count = counters.get("tracked_samples_errored");
        return Math.max(failed, count == null ? 0 : count);
    }

    /** Requests that the tool says succeeded; null if it does not say. */
    @Nullable
    Long succeeded() {
        Long count = counters.get("tracked_samples_succeeded");
        return succeeded > 0 ? (Long) succeeded : count;
    }

    /** Tokens of the answers that the tool's requests have; null if they have none. */
    @Nullable
    Double tokens() {
        Values values = rows.get("usage_completion_tokens");
        return values == null ? null : values.statistic(Statistic.Simple.SUM);
    }

    /** Requests behind the first of their conversations. */
    long laterTurns() {
        return ofConversations - conversations.size();
    }

    /** Whether there is neither a figure nor a request. */
    boolean isEmpty() {
        return requests() == 0 && figures().isEmpty();
    }

    /** Times of issue, in nanoseconds on the tool's clock; empty if they are on none that others share. */
    List<Long> issues() {
        return kind == SourceKind.CHUNKS || kind == SourceKind.TIMES ? List.copyOf(issues) : List.of();
    }

    /** Name of the tool that writes the format; empty before files were read. */
    String tool() {
        return tool;
    }

    /** Version of the tool; empty if its files do not name it. */
    String version() {
        return version;
    }

    /** Why the tool says that it did not finish; null if it does not. */
    @Nullable
    String interruption() {
        return interruption;
    }

    @Override
    public void request(ImportedRequest request) {
        if (parts > 1 || request.isWarmup()) {
            return;
        }
        if (!request.isStartUnknown() && !request.startsItsClock()) {
            issues.add(request.issuedNanos());
        }
        if (!request.conversationId().isEmpty()) {
            ofConversations++;
            conversations.add(request.conversationId());
        }
        Long end = request.endNanos();
        switch (request.outcome()) {
            case FAILED -> failed++;
            case OPEN -> open++;
            case SUCCEEDED -> {
                succeeded++;
                row("sample_latency_ns", end == null ? null : (Double) (double) (end - request.issuedNanos()));
                int chunks = request.chunks();
                row("ttft_ns", chunks == 0 ? null : (Double) (double) (request.chunkNanos(0) - request.issuedNanos()));
                for (int i = 1; i < chunks; i++) {
                    row("chunk_delta_ns", (double) (request.chunkNanos(i) - request.chunkNanos(i - 1)));
                }
                Long tokens = request.usage() == null ? null : request.usage().completionTokens();
                row("usage_completion_tokens", tokens == null ? null : (Double) tokens.doubleValue());
            }
        }
    }

    private void row(String series, @Nullable Double value) {
        if (value != null) {
            rows.computeIfAbsent(series, unused -> new Values()).add(value);
        }
    }

    @Override
    public void check(ToolCheck check) {
        if (parts <= 1 && Reading.of(check.series()) != null) {
            checks.put(check.name(), check);
        }
    }

    @Override
    public void summary(SummarySeries of) {
        if (parts > 1 || Reading.of(of.name()) == null) {
            return;
        }
        summarised(of, Statistic.Simple.MEAN, of.mean());
        summarised(of, Statistic.Simple.MIN, of.min());
        summarised(of, Statistic.Simple.MAX, of.max());
        of.percentiles().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> summarised(of, new Statistic.FirstReached(each.getKey()), each.getValue()));
    }

    private void summarised(SummarySeries of, Statistic statistic, @Nullable Double value) {
        if (value != null) {
            double unit = of.name().endsWith("_ns") ? MILLI : 1;
            String name = of.name().replace("_ns", "") + " " + name(statistic) + (unit == 1 ? "" : ", ms");
            summaries.add(new ToolCheck(name, value / unit, of.name(), statistic, unit, ToolCheck.EXACT));
        }
    }

    @Override
    public void kind(SourceKind of) {
        kind = of.compareTo(kind) > 0 ? of : kind;
    }

    @Override
    public boolean part(String label) {
        parts++;
        return parts == 1;
    }

    @Override
    public void toolVersion(String of) {
        version = of;
    }

    @Override
    public void interrupted(String why) {
        interruption = why;
    }

    @Override
    public void summaryCounter(String name, long value) {
        if (parts <= 1) {
            counters.put(name, value);
        }
    }

    @Override
    public void record(byte[] payload) {
        throw new IllegalArgumentException("a journal is not a result of a tool");
    }

    @Override
    public void skipped(String reason) {}

    @Override
    public void skipped(String reason, long number) {}

    @Override
    public void unknowable(String name, String reason) {}

    @Override
    public void dates(long startNanos, @Nullable Long endNanos) {}

    @Override
    public void toolFigure(String name, Object value) {}

    @Override
    public void value(String series, double value) {}
}
