package io.metricsaggregator.it;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;

/**
 * A headless Chromium with one page, driven by its DevTools protocol: measures the page with scripts, moves the pointer, presses keys, prints. Keeps
 * every console message and error of the page. Used by one thread.
 */
final class Browser implements AutoCloseable, WebSocket.Listener {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final RunningProcess process;
    private final WebSocket socket;
    private final AtomicLong number = new AtomicLong();
    private final Map<Long, CompletableFuture<Map<?, ?>>> answers = new ConcurrentHashMap<>();
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final AtomicLong loads = new AtomicLong();
    private final StringBuilder partial = new StringBuilder();

    /**
     * Starts the browser on an empty page, or skips the test where none is installed.
     *
     * @param profile a folder for its profile
     */
    static Browser start(Path profile) throws IOException {
        for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
            try {
                Process version = new ProcessBuilder(name, "--version")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (version.waitFor() == 0) {
                    return new Browser(name, profile);
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

    private Browser(String program, Path profile) throws IOException {
        process = new RunningProcess(new ProcessBuilder(
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank"));
        Path port = profile.resolve("DevToolsActivePort");
        Await.until(() -> Files.exists(port) && Files.readString(port).contains("\n"), () -> "DevTools of " + process);
        String first = Files.readString(port).lines().findFirst().orElseThrow();
        socket = HTTP.newWebSocketBuilder().buildAsync(target(first), this).join();
        call("Runtime.enable", Map.of());
        call("Log.enable", Map.of());
        call("Page.enable", Map.of());
    }

    private static URI target(String port) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json"))
                .build();
        try {
            String list =
                    HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
            Map<?, ?> targets = read("{\"list\":" + list + "}");
            for (Object each : (List<?>) targets.get("list")) {
                if ("page".equals(((Map<?, ?>) each).get("type"))) {
                    return URI.create((String) ((Map<?, ?>) each).get("webSocketDebuggerUrl"));
                }
            }
            throw new AssertionError("no page in " + list);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<?, ?> read(String json) {
        try {
            return JsonTree.read(json.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedMessageException e) {
            throw new AssertionError(json, e);
        }
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        partial.append(data);
        if (last) {
            Map<?, ?> message = read(partial.toString());
            partial.setLength(0);
            if (message.get("id") instanceof Long id) {
                answers.remove(id).complete(message);
            } else if ("Page.loadEventFired".equals(message.get("method"))) {
                loads.incrementAndGet();
            } else if (List.of("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
                    .contains(message.get("method"))) {
                messages.add(message.get("params").toString());
            }
        }
        from.request(1);
        return null;
    }

    private Map<?, ?> call(String method, Map<String, ?> parameters) {
        long id = number.incrementAndGet();
        CompletableFuture<Map<?, ?>> answer = new CompletableFuture<>();
        answers.put(id, answer);
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("id", id);
        message.put("method", method);
        message.put("params", parameters);
        socket.sendText(new String(JsonTree.writeLine(message), StandardCharsets.UTF_8), true);
        try {
            Map<?, ?> received = answer.get(120, TimeUnit.SECONDS);
            if (received.get("error") != null) {
                throw new AssertionError(method + ": " + received.get("error"));
            }
            return (Map<?, ?>) received.get("result");
        } catch (Exception e) {
            throw new AssertionError(method + " of " + process, e);
        }
    }

    void open(String url) {
        call("Page.navigate", Map.of("url", url));
    }

    /** Opens a file at a width in CSS pixels and waits until it is complete; {@code media} is {@code screen} or {@code print}. */
    void open(Path page, int width, String media) {
        size(width, 900);
        call("Emulation.setEmulatedMedia", Map.of("media", media));
        long before = loads.get();
        open(page.toUri().toString());
        Await.until(() -> loads.get() > before, () -> "load of " + page + " in " + process);
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

    /** Sets the size of the page in CSS pixels. */
    void size(int width, int height) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    /** Sets the preferred colours: {@code light} or {@code dark}. */
    void colours(String scheme) {
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Presses the tabulator. */
    void tab() {
        for (String type : List.of("keyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    Map.of("type", type, "key", "Tab", "code", "Tab", "windowsVirtualKeyCode", 9));
        }
    }

    /** The value of a JavaScript expression, or of the promise that it gives: a text, a number, a boolean, a list, a map, or null. */
    Object value(String expression) {
        Map<?, ?> result =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.get("exceptionDetails") != null) {
            throw new AssertionError(expression + ": " + result);
        }
        return ((Map<?, ?>) result.get("result")).get("value");
    }

    /** Waits until a JavaScript expression is true. */
    void await(String expression) {
        Await.until(
                () -> Boolean.TRUE.equals(value(expression)),
                () -> expression + " on\n" + value("document.body.innerText") + "\n" + messages);
    }

    /** Console messages, violations of the content security policy and uncaught errors so far. */
    List<String> messages() {
        return messages;
    }

    @Override
    public void close() {
        socket.abort();
        // Its own processes write into the profile for a while after it has ended.
        List<ProcessHandle> others = process.process.descendants().toList();
        // SIGTERM, so that it removes its folder in /tmp.
        process.process.destroy();
        try (process) {
            process.awaitExit();
        }
        others.forEach(ProcessHandle::destroyForcibly);
        Await.until(() -> others.stream().noneMatch(Browser::isRunning), () -> "end of " + others);
    }

    /** Whether a process still runs code: one that nobody has waited for remains in the list of processes. */
    private static boolean isRunning(ProcessHandle process) {
        try {
            String state = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
            return state.charAt(state.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }
}
