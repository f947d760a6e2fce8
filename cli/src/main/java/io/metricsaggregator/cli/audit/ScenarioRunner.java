package io.metricsaggregator.cli.audit;

import io.metricsaggregator.cli.wrap.RetargetedTool;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.synthetic.ReportedTimes;
import io.metricsaggregator.synthetic.ServerBehaviour;
import io.metricsaggregator.synthetic.ServerQuirks;
import io.metricsaggregator.synthetic.SyntheticServer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Runs a tool in one scenario after the other, each with a server of its own, and judges what it claims. One thread. */
final class ScenarioRunner {
    private static final int WARM_REQUESTS = 300;
    private static final int CANCEL_AFTER = 10;
    /** Answers to a tool that has gone end with the next chunk. */
    private static final int IDLE_POLLS = 100;

    private static final long POLL_MILLIS = 20;

    private final RetargetedTool tool;
    private final Settings settings;
    private final Warnings warnings = new Warnings();
    private String toolName;
    private String toolVersion = "";
    private int usualRequests;

    /**
     * Settings of an audit.
     *
     * @param output folder for what the tool wrote and printed
     * @param results patterns of the names of result files; empty for those that the tool's rule names
     * @param rate requests per second of the tool's schedule, 0 to take it from its requests
     * @param cancelAfter requests that end before the tool is interrupted; 0 for half of those of an earlier scenario
     * @param limit of time for a scenario
     */
    record Settings(Path output, List<String> results, double rate, int cancelAfter, Duration limit) {
        Settings {
            results = List.copyOf(results);
        }
    }

    ScenarioRunner(RetargetedTool tool, Settings settings) {
        this.tool = tool;
        this.toolName = tool.name();
        this.settings = settings;
    }

    /** Answers some requests first: a cold server is late in ways that it does not note itself. */
    static void warmUp() throws IOException {
        ServerBehaviour fast = new ServerBehaviour(
                "synthetic", 0, 0, 0, 4, 1, 0, 0, 0, 0, false, 16, ReportedTimes.Form.NONE, 1, ServerQuirks.NONE);
        byte[] body = "{\"stream\":true,\"messages\":[{\"content\":\"a\"}]}".getBytes(StandardCharsets.UTF_8);
        try (SyntheticServer server = server(fast, request -> {})) {
            for (int i = 0; i < WARM_REQUESTS; i++) {
                HttpURLConnection connection = (HttpURLConnection)
                        URI.create(server.url() + "v1/chat/completions").toURL().openConnection();
                connection.setDoOutput(true);
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(body);
                }
                try (InputStream in = connection.getInputStream()) {
                    in.readAllBytes();
                }
            }
        }
    }

    private static SyntheticServer server(ServerBehaviour behaviour, Consumer<Map<String, Object>> log)
            throws IOException {
        return new SyntheticServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), behaviour, log);
    }

    /** Name of the tool: of the format of its files, else that of its command. */
    String toolName() {
        return toolName;
    }

    /** Version of the tool as its files name it; empty if they do not. */
    String toolVersion() {
        return toolVersion;
    }

    /** Runs a scenario. */
    AuditedRun run(Scenario scenario, Path scratch) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(settings.output().resolve(scenario.name()));
        List<Map<String, Object>> log = Collections.synchronizedList(new ArrayList<>());
        long startMillis = System.currentTimeMillis();
        ToolRun run;
        long epoch;
        ServerProbe probe;
        try (SyntheticServer server = server(scenario.behaviour(), log::add);
                ServerProbe open = new ServerProbe(server.port())) {
            probe = open;
            String url = server.url().replaceFirst("/$", "");
            run = new ToolRun(tool.at(url, scratch), folder.resolve("console.txt"));
            int half = usualRequests > 1 ? usualRequests / 2 : CANCEL_AFTER;
            run.await(
                    scenario.means(),
                    log::size,
                    settings.cancelAfter() > 0 ? settings.cancelAfter() : half,
                    settings.limit());
            for (int i = 0; i < IDLE_POLLS && !server.isIdle(); i++) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            epoch = server.loadStartedNanos();
        }
        List<Path> files = keep(startMillis, folder);
        List<Map<String, Object>> lines = List.copyOf(log);
        write(lines, folder.resolve("served.jsonl"));
        List<Served> served = lines.stream().map(Served::of).toList();
        return judge(scenario, run, served, files, epoch, probe);
    }

    private AuditedRun judge(
            Scenario scenario, ToolRun run, List<Served> served, List<Path> files, long epoch, ServerProbe probe)
            throws IOException {
        List<Figure> figures = new ArrayList<>();
        String problem = run.isTimedOut() ? "the tool did not end and was killed" : null;
        ToolClaims claims = new ToolClaims();
        if (!files.isEmpty()) {
            try {
                claims = ToolClaims.read(files);
            } catch (IOException | IllegalArgumentException e) {
                problem = "the tool's file cannot be read: " + e.getMessage();
            }
        }
        long wall = wallAhead();
        ServedLoad load =
                ServedLoad.of(served, claims, wall, run.signalNanos(), probe.nanos(Statistic.Simple.MAX, epoch));
        boolean isInterrupted = run.signalNanos() != null;
        if (claims.isEmpty()) {
            String none = files.isEmpty() ? "the tool wrote no file with results" : "no figures";
            problem = (problem == null ? none : problem) + ", exit status " + run.status();
        } else if (claims.failed() > 0
                && claims.failed() >= claims.requests()
                && !load.complete().isEmpty()) {
            problem = "the tool takes all " + load.complete().size() + " answers for failures";
        } else {
            toolName = claims.tool().isEmpty() ? toolName : claims.tool();
            toolVersion = claims.version().isEmpty() ? toolVersion : claims.version();
            double waited = (double) run.waitedNanos(epoch)
                    / Math.max(1, load.requests().size());
            figures.addAll(judged(
                    scenario, claims, load, epoch, isInterrupted, statistic -> probe.nanos(statistic, epoch) + waited));
        }
        List<String> console = run.console();
        ServerBehaviour behaviour = scenario.behaviour();
        if (scenario.means() == Scenario.Means.INTERRUPT) {
            if (isInterrupted) {
                boolean shown = claims.interruption() != null;
                figures.add(warnings.shown("the run was cut", shown, run.status(), console));
            } else {
                problem = "the tool ended before half of its requests had";
            }
        } else if (load.failed() > 0 && !served.isEmpty()) {
            String what = String.format(
                    Locale.ROOT,
                    "%d of %d requests failed",
                    load.failed(),
                    load.requests().size());
            figures.add(warnings.shown(what, claims.failed() > 0, run.status(), console));
        } else if (behaviour.errorShare() + behaviour.abortShare() > 0) {
            problem = "no request was to fail among " + load.requests().size() + ": send more";
        } else {
            usualRequests = Math.max(usualRequests, served.size());
            warnings.usual(console);
        }
        return new AuditedRun(scenario, run.status(), served.size(), load.before(), problem, figures);
    }

    /** What the wall clock is ahead of {@link System#nanoTime}. */
    private static long wallAhead() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano() - System.nanoTime();
    }

    private List<Figure> judged(
            Scenario scenario,
            ToolClaims claims,
            ServedLoad load,
            long epoch,
            boolean isInterrupted,
            ToDoubleFunction<Statistic> noise) {
        ServerQuirks quirks = scenario.behaviour().quirks();
        long frozen = epoch + quirks.freezeAfterNanos();
        Omission omission = quirks.freezeNanos() == 0
                ? null
                : Omission.of(load.requests(), frozen, frozen + quirks.freezeNanos(), settings.rate());
        List<Figure> figures =
                new ArrayList<>(Judge.figures(quirks.usage(), claims, load, omission, isInterrupted, noise));
        if (quirks.freezeNanos() > 0) {
            figures.add(Judge.coordinatedOmission(figures, claims.figures(), omission));
        }
        if (scenario.name().equals("turns")) {
            figures.add(Judge.turns(claims, load));
        }
        return figures;
    }

    /** Moves the result files of this run out of the way of the next one. */
    private List<Path> keep(long startMillis, Path folder) throws IOException {
        List<Path> found = settings.results().isEmpty() ? tool.results(startMillis) : matching(startMillis);
        List<Path> kept = new ArrayList<>();
        Path own = settings.output().toAbsolutePath().normalize();
        for (Path each : found) {
            if (each.toAbsolutePath().normalize().startsWith(own)) {
                continue; // of an earlier scenario
            }
            Path to = folder.resolve(each.getFileName());
            Files.move(each, to, StandardCopyOption.REPLACE_EXISTING);
            kept.add(to);
        }
        return kept;
    }

    private List<Path> matching(long startMillis) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String pattern : settings.results()) {
            Path path = Path.of(pattern);
            Path parent = path.getParent() == null ? Path.of(".") : path.getParent();
            PathMatcher name = FileSystems.getDefault().getPathMatcher("glob:" + path.getFileName());
            try (Stream<Path> files = Files.list(parent)) {
                for (Path each : files.sorted().toList()) {
                    if (name.matches(each.getFileName())
                            && Files.getLastModifiedTime(each).toMillis() >= startMillis - 1000) {
                        found.add(each);
                    }
                }
            }
        }
        return found;
    }

    private static void write(List<Map<String, Object>> lines, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (Map<String, Object> each : lines) {
                out.write(new String(JsonTree.writeLine(each), StandardCharsets.UTF_8));
                out.write('\n');
            }
        }
    }
}
