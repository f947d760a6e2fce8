package io.metricsaggregator.it;

import io.metricsaggregator.codec.JsonTree;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A headless browser driven by the DevTools protocol: opens pages at a width, measures them with scripts, moves the pointer, prints. Used by one
 * thread.
 */
final class Chromium implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RunningProcess browser;
    private final WebSocket socket;
    private final BlockingQueue<Map<String, ?>> messages = new LinkedBlockingQueue<>();
    private final String session;
    private long calls;

    /** Starts a browser, or skips the test where none is installed. */
    static Chromium start(Path profile) throws IOException {
        for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
            try {
                Process version = new ProcessBuilder(name, "--version")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (version.waitFor() == 0) {
                    return new Chromium(name, profile);
                }
            } catch (IOException missing) {
                continue;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        String reason = "no Chromium (install chromium)";
        System.out.println("SKIPPED: " + reason);
        Assumptions.assumeTrue(false, reason);
        throw new AssertionError();
    }

    private Chromium(String name, Path profile) throws IOException {
        browser = new RunningProcess(new ProcessBuilder(
                name,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank"));
        Path port = profile.resolve("DevToolsActivePort");
        Await.until(() -> Files.exists(port) && lines(port).size() == 2, browser::toString);
        List<String> address = lines(port);
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + address.get(0) + address.get(1)), new Messages())
                .join();
        Map<?, ?> target = call(null, "Target.createTarget", Map.of("url", "about:blank"));
        session = (String)
                call(null, "Target.attachToTarget", Map.of("targetId", target.get("targetId"), "flatten", true))
                        .get("sessionId");
        call("Page.enable", Map.of());
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Collects messages, which may come in parts. */
    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                try {
                    messages.add(JsonTree.read(text.toString().getBytes(StandardCharsets.UTF_8)));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private Map<?, ?> call(String method, Map<String, ?> parameters) {
        return call(session, method, parameters);
    }

    private Map<?, ?> call(String to, String method, Map<String, ?> parameters) {
        long id = ++calls;
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("id", id);
        message.put("method", method);
        message.put("params", parameters);
        if (to != null) {
            message.put("sessionId", to);
        }
        socket.sendText(new String(JsonTree.write(message), StandardCharsets.UTF_8), true)
                .join();
        while (true) {
            Map<?, ?> answer = next(method);
            if (Long.valueOf(id).equals(answer.get("id"))) {
                if (answer.get("result") == null) {
                    throw new AssertionError(method + ": " + answer);
                }
                return (Map<?, ?>) answer.get("result");
            }
        }
    }

    private Map<?, ?> next(String waitingFor) {
        try {
            Map<?, ?> message = messages.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("no answer to " + waitingFor + ": " + browser);
            }
            return message;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Opens a page at a width in CSS pixels; {@code media} is {@code screen} or {@code print}. */
    void open(Path page, int width, String media) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 600));
        call("Emulation.setEmulatedMedia", Map.of("media", media));
        call("Page.navigate", Map.of("url", page.toUri().toString()));
        while (!"Page.loadEventFired".equals(next("load").get("method"))) {
            // Answers and events before the page is complete.
        }
    }

    /** The value of an expression of JavaScript in the page. */
    Object evaluate(String script) {
        Map<?, ?> result = call("Runtime.evaluate", Map.of("expression", script, "returnByValue", true));
        if (result.get("exceptionDetails") != null) {
            throw new AssertionError(result.toString());
        }
        return ((Map<?, ?>) result.get("result")).get("value");
    }

    /** Moves the pointer to a place of the window. */
    void point(double x, double y) {
        call("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", x, "y", y));
    }

    /** The page on paper, with the sizes that its stylesheet asks for. */
    byte[] pdf() {
        return Base64.getDecoder().decode((String)
                call("Page.printToPDF", Map.of("preferCSSPageSize", true)).get("data"));
    }

    @Override
    public void close() {
        socket.abort();
        List<ProcessHandle> helpers = browser.descendants();
        browser.close();
        // They write into the profile, which would be deleted under them.
        helpers.forEach(ProcessHandle::destroyForcibly);
        Await.until(() -> helpers.stream().noneMatch(Chromium::runs), () -> "processes of the browser: " + helpers);
    }

    /** Whether a process runs; one that ended may stay in the table until its parent asks for it. */
    private static boolean runs(ProcessHandle process) {
        try {
            return !Files.readString(Path.of("/proc/" + process.pid() + "/stat"))
                    .contains(") Z ");
        } catch (IOException ended) {
            return false;
        }
    }
}
