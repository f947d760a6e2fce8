package io.metricsaggregator.options;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.collect.UrlSecrets;
import io.metricsaggregator.publish.FileErrors;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.util.regex.Pattern;

/** Describes errors for users: messages of the JDK are often a bare path, or begin with the name of a class. */
public final class Messages {
    private static final int MAX_LENGTH = 500;
    private static final Pattern CLASS_NAME =
            Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z][\\w$]*(?:Exception|Error)(?::? |\\b)");

    private Messages() {}

    /** One line that describes an error, without control characters; at most 500 characters. */
    public static String of(Throwable error) {
        return Printable.escape(plain(text(error)), MAX_LENGTH);
    }

    /** A message without the class names of exceptions and without the secrets of URLs. */
    public static String plain(String message) {
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
            return "unknown host " + error.getMessage();
        }
        String message = error.getMessage();
        if (message != null && !message.isBlank()) {
            return message;
        }
        if (error.getCause() != null) {
            return text(error.getCause());
        }
        if (error instanceof EOFException) {
            return "unexpected end of file";
        }
        if (error instanceof ClosedChannelException) {
            return "the file or connection was closed";
        }
        return error instanceof ConnectException ? "connection refused" : "no details available";
    }
}
