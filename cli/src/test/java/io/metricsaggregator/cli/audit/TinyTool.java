package io.metricsaggregator.cli.audit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** A load tool of one connection at 25 requests/s, which times from the sending and writes vLLM's file: {@code TinyTool URL FILE LIE}. */
final class TinyTool {
    private static final int TRIALS = 3;
    private static final int REQUESTS = 60;
    private static final long GAP_NANOS = 40_000_000;
    private static final String BODY = "{\"model\":\"synthetic\",\"stream\":true,\"max_tokens\":2,"
            + "\"stream_options\":{\"include_usage\":true},\"messages\":[{\"role\":\"user\",\"content\":\"Why?\"}]}";

    private final String url;
    private final Path file;
    private final String lie;
    private final List<Row> rows = new ArrayList<>();

    /** A request; the time to its first token is 0 for one that failed. */
    private record Row(long start, double firstSeconds, double seconds, int tokens, String error) {}

    private TinyTool(String url, Path file, String lie) {
        this.url = url;
        this.file = file;
        this.lie = lie;
    }

    public static void main(String[] arguments) throws IOException {
        TinyTool tool = new TinyTool(arguments[0], Path.of(arguments[1]), arguments[2]);
        for (int i = 0; i < TRIALS; i++) {
            tool.send();
        }
        if (tool.lie.equals("silent")) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                tool.write();
                Runtime.getRuntime().halt(0);
            }));
        } else {
            Runtime.getRuntime().addShutdownHook(new Thread(tool::write));
        }
        long start = System.nanoTime();
        for (int i = 0; i < REQUESTS; i++) {
            LockSupport.parkNanos(start + i * GAP_NANOS - System.nanoTime());
            Row row = tool.send();
            synchronized (tool.rows) {
                tool.rows.add(row);
            }
        }
    }

    private Row send() {
        long start = System.nanoTime();
        long first = 0;
        int tokens = 0;
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create(url + "/v1/chat/completions").toURL().openConnection();
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            try (OutputStream out = connection.getOutputStream()) {
                out.write(BODY.getBytes(StandardCharsets.UTF_8));
            }
            boolean ended = false;
            try (InputStream in = connection.getInputStream();
                    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    boolean token = line.contains("\"content\":\" ");
                    tokens += token ? 1 : 0;
                    first = token && first == 0 ? System.nanoTime() : first;
                    ended |= line.contains("[DONE]");
                }
            }
            return new Row(
                    start,
                    (first - start) / 1e9,
                    (System.nanoTime() - start) / 1e9,
                    tokens,
                    ended ? "" : "the stream was cut");
        } catch (IOException e) {
            return new Row(start, 0, (System.nanoTime() - start) / 1e9, tokens, "failed");
        }
    }

    private void write() {
        List<Row> all;
        synchronized (rows) {
            all = List.copyOf(rows);
        }
        if (lie.equals("silent")) {
            all = all.stream().filter(each -> each.error().isEmpty()).toList();
        }
        List<Row> good = all.stream().filter(each -> each.error().isEmpty()).toList();
        double[] first = good.stream().mapToDouble(Row::firstSeconds).sorted().toArray();
        double[] latency = good.stream().mapToDouble(Row::seconds).sorted().toArray();
        int tokens = good.stream().mapToInt(Row::tokens).sum();
        String json = String.format(
                Locale.ROOT,
                "{\"endpoint_type\":\"openai-chat\",\"model_id\":\"synthetic\",\"tokenizer_id\":\"none\",\"num_prompts\":%d,"
                        + "\"duration\":2.4,\"completed\":%d,\"failed\":%d,\"total_output_tokens\":%d,\"median_ttft_ms\":%.6f,"
                        + "\"p90_e2el_ms\":%.6f,\"input_lens\":%s,\"output_lens\":%s,\"ttfts\":%s,\"itls\":%s,\"latencies\":%s,"
                        + "\"start_times\":%s,\"errors\":%s,\"generated_texts\":%s}",
                all.size(),
                good.size(),
                all.size() - good.size(),
                tokens + (lie.equals("tokens") ? 7 : 0),
                percentile(first, 50) * (lie.equals("half") ? 10 : 1000),
                percentile(latency, 90) * 1000,
                list(all.stream().map(each -> "1")),
                list(all.stream().map(each -> "" + each.tokens())),
                list(all.stream().map(each -> "" + each.firstSeconds())),
                list(all.stream().map(each -> "[" + (each.seconds() - each.firstSeconds()) + "]")),
                list(all.stream().map(each -> "" + each.seconds())),
                list(all.stream().map(each -> String.format(Locale.ROOT, "%.9f", each.start() / 1e9))),
                list(all.stream().map(each -> "\"" + each.error() + "\"")),
                list(all.stream().map(each -> each.error().isEmpty() ? "\"a b\"" : "\"\"")));
        try {
            Files.writeString(file, json);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String list(java.util.stream.Stream<String> values) {
        return values.collect(Collectors.joining(",", "[", "]"));
    }

    private static double percentile(double[] sorted, double percent) {
        if (sorted.length == 0) {
            return 0;
        }
        double place = percent / 100 * (sorted.length - 1);
        int below = (int) place;
        double[] two = Arrays.copyOfRange(sorted, below, Math.min(below + 2, sorted.length));
        return two[0] + (two[two.length - 1] - two[0]) * (place - below);
    }
}
