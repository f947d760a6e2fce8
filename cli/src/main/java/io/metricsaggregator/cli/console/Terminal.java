package io.metricsaggregator.cli.console;

import io.metricsaggregator.analysis.Printable;
import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Standard output: its encoding, whether it is a terminal, and printing on it. */
public final class Terminal {
    private static final Pattern COLUMNS = Pattern.compile("([1-9]\\d{1,3})$");

    private static final int NARROW = 80;
    private static final int UNLIMITED = 10_000;

    private Terminal() {}

    /** Whether the locale is UTF-8, by the variables in the order of the C library; the JVM's own answer differs between versions. */
    public static boolean isUtf8() {
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
     * Prints text as UTF-8, regardless of the encoding that the JVM assumes: callers render text beyond ASCII only for a UTF-8 terminal or
     * a file. Control sequences are escaped if standard output is a terminal.
     *
     * @return false if standard output is closed or cannot be written; {@link StandardOutput} keeps the cause
     */
    public static boolean print(String text) {
        byte[] bytes = (isOutput() ? Printable.forTerminal(text) : text).getBytes(StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        return !System.out.checkError();
    }

    /** Standard output for data, which throws what fails; control sequences are escaped if it is a terminal. */
    public static OutputStream output() {
        return isOutput() ? new TerminalStream(StandardOutput.raw()) : StandardOutput.raw();
    }

    /** Whether standard output is a terminal, regardless of standard input. */
    private static boolean isOutput() {
        return isTerminal(1);
    }

    /** Whether standard error is a terminal, regardless of standard input and standard output. */
    static boolean isErrorOutput() {
        return isTerminal(2);
    }

    private static boolean isTerminal(int descriptor) {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException | RuntimeException e) {
            return consoleIsTerminal();
        }
    }

    /** Columns of the terminal that standard output is, or {@code COLUMNS}; a file or a pipe has so many that nothing is wrapped. */
    public static int columns() {
        String set = System.getenv("COLUMNS");
        boolean terminal = isOutput();
        Matcher columns = COLUMNS.matcher(set != null ? set : terminal ? size() : "");
        return columns.find() ? Integer.parseInt(columns.group(1)) : terminal ? NARROW : UNLIMITED;
    }

    /** What {@code stty} says of the terminal, rows and columns; empty if it cannot be asked. */
    private static String size() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new String(stty.getInputStream().readNBytes(32), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether a terminal is attached that can overwrite a line. */
    public static boolean isInteractive() {
        @Nullable String term = System.getenv("TERM");
        return term != null && !term.equals("dumb") && consoleIsTerminal();
    }

    // Up to JDK 21 a console exists only with a terminal; from 22 on Console.isTerminal tells.
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
