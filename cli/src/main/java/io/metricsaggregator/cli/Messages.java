package io.metricsaggregator.cli;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.collect.UrlSecrets;
import io.metricsaggregator.daemon.FileErrors;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.util.regex.Pattern;

/** Errors in words. The JDK's file errors are bare paths, and those that wrap others begin with the name of a class. */
final class Messages {
    private static final int MAX_LENGTH = 500;
    private static final Pattern CLASS_NAME =
            Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z][\\w$]*(?:Exception|Error)(?::? |\\b)");

    private Messages() {}

    static String of(Throwable error) {
        return Printable.escape(plain(text(error)), MAX_LENGTH);
    }

    /** A message without the names of Java's classes of errors, and without the secrets of URLs. */
    static String plain(String message) {
        return UrlSecrets.mask(CLASS_NAME.matcher(message).replaceAll(""));
    }

    private static String text(Throwable error) {
        if (error instanceof UncheckedIOException && error.getCause() != null) {
            return text(error.getCause());
        }
        if (error instanceof FileSystemException file) {
            return FileErrors.words(file);
        }
        if (error instanceof UnknownHostException) {
            return "host " + error.getMessage() + " is not known";
        }
        String message = error.getMessage();
        if (message != null && !message.isBlank()) {
            return message;
        }
        if (error.getCause() != null) {
            return text(error.getCause());
        }
        if (error instanceof EOFException) {
            return "it ends too early";
        }
        if (error instanceof ClosedChannelException) {
            return "a file or connection was closed meanwhile";
        }
        return error instanceof ConnectException ? "no connection" : "no reason was given";
    }
}
