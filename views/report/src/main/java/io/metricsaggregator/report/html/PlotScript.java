package io.metricsaggregator.report.html;

import io.metricsaggregator.report.markup.Markup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The script of a page with plots, a constant: it moves along the values of a plot by arrow keys, Home and End, and speaks them. The content security
 * policy names its hash, so that the page runs no other; where scripts are forbidden, the page lacks the keys alone.
 */
final class PlotScript {
    private static final String SCRIPT = read();
    /** The source of scripts in the content security policy. */
    static final String SOURCE = "'sha256-" + hash(SCRIPT) + "'";

    private PlotScript() {}

    static void add(Markup out) {
        out.script(SCRIPT);
    }

    private static String read() {
        try (InputStream in = PlotScript.class.getResourceAsStream("page.js")) {
            if (in == null) {
                throw new IllegalStateException("page.js is not in the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
