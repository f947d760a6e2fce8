package io.metricsaggregator.cli;

import io.metricsaggregator.analysis.Printable;
import java.io.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the terminal can show. */
final class Terminal {
    private Terminal() {}

    /** By the environment, in the order the C library looks: the JVM's own idea differs between versions. */
    static boolean isUtf8() {
        for (String variable : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            String value = System.getenv(variable);
            if (value != null && !value.isEmpty()) {
                return namesUtf8(value);
            }
        }
        return false;
    }

    private static boolean namesUtf8(String locale) {
        String upper = locale.toUpperCase(Locale.ROOT);
        return upper.contains("UTF-8") || upper.contains("UTF8");
    }

    /**
     * Prints text as UTF-8, whatever the JVM takes the terminal's encoding to be: text with more than ASCII in it is only made for
     * a terminal that shows it, or for a file. What could steer a terminal is escaped where there is one.
     *
     * @return false if standard output is closed
     */
    static boolean print(String text) {
        byte[] bytes = (isOutput() ? Printable.forTerminal(text) : text).getBytes(StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        return !System.out.checkError();
    }

    /** Standard output for data: as it is, or with what could steer a terminal escaped where there is one. */
    static OutputStream output() {
        return isOutput() ? new TerminalStream(System.out) : System.out;
    }

    /** Whether standard output is a terminal, whatever standard input is. */
    private static boolean isOutput() {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException | RuntimeException e) {
            return consoleIsTerminal();
        }
    }

    /** Whether somebody watches: a line may be written over itself then. */
    static boolean isInteractive() {
        @Nullable String term = System.getenv("TERM");
        return term != null && !term.equals("dumb") && consoleIsTerminal();
    }

    // Up to JDK 21 there is a console only where there is a terminal; from 22 on it says itself what it is.
    @SuppressWarnings("SystemConsoleNull")
    private static boolean consoleIsTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
