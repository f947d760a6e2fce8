package io.metricsaggregator.web;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The fixed files of the page, read from the class path once: its own, and uPlot from its jar. Immutable. */
final class PageFiles {
    private static final String UPLOT = "META-INF/maven/org.webjars.npm/uplot/pom.properties";
    private static final String JAVASCRIPT = "text/javascript; charset=utf-8";
    private static final String CSS = "text/css; charset=utf-8";

    private final Map<String, File> files;

    /** A file with its content type. */
    @SuppressWarnings("ArrayRecordComponent") // sent, never compared
    record File(String type, byte[] bytes) {}

    private PageFiles(Map<String, File> files) {
        this.files = Map.copyOf(files);
    }

    /**
     * Reads the files.
     *
     * @throws IOException if one is missing from the class path
     */
    static PageFiles read() throws IOException {
        Map<String, File> files = new LinkedHashMap<>();
        files.put("/", own("index.html", "text/html; charset=utf-8"));
        files.put("/favicon.svg", own("favicon.svg", "image/svg+xml"));
        files.put("/page.css", own("page.css", CSS));
        for (String script : new String[] {"page.js", "stream.js", "dom.js", "figures.js", "charts.js", "heat.js"}) {
            files.put("/" + script, own(script, JAVASCRIPT));
        }
        Properties uplot = new Properties();
        try (InputStream in = PageFiles.class.getClassLoader().getResourceAsStream(UPLOT)) {
            if (in == null) {
                throw new FileNotFoundException("the class path lacks uPlot (" + UPLOT + ")");
            }
            uplot.load(in);
        }
        String folder = "META-INF/resources/webjars/uplot/" + uplot.getProperty("version") + "/dist/";
        files.put(
                "/uplot.js",
                file(
                        PageFiles.class.getClassLoader().getResourceAsStream(folder + "uPlot.esm.js"),
                        folder,
                        JAVASCRIPT));
        files.put(
                "/uplot.css",
                file(PageFiles.class.getClassLoader().getResourceAsStream(folder + "uPlot.min.css"), folder, CSS));
        return new PageFiles(files);
    }

    private static File own(String name, String type) throws IOException {
        return file(PageFiles.class.getResourceAsStream("page/" + name), name, type);
    }

    private static File file(@Nullable InputStream stream, String name, String type) throws IOException {
        try (stream) {
            if (stream == null) {
                throw new FileNotFoundException("the class path lacks " + name);
            }
            return new File(type, stream.readAllBytes());
        }
    }

    /** The file of a path; null if there is none. */
    @Nullable
    File get(String path) {
        return files.get(path);
    }
}
