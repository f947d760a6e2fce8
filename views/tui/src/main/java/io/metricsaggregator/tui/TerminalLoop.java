package io.metricsaggregator.tui;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.InfoCmp;
import org.jline.utils.NonBlockingReader;

/**
 * Owns the terminal while the live screen runs: raw mode and the alternate screen, both restored on close and on a shutdown of the JVM.
 * Used by one thread.
 */
public final class TerminalLoop implements Closeable {
    /** A key, or the event that ends the screen. */
    public enum Key {
        NONE,
        QUIT,
        LEFT,
        RIGHT,
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        TAB,
        /** A letter or digit: {@link #letter}. */
        LETTER
    }

    private static final String VISIBLE_ON_THE_FIRST_PAGE = "\u001b[?25h\u001b[?1049l";
    private static final long END_PATIENCE_NANOS = 5_000_000_000L;
    private static final int CTRL_C = 3;
    private static final int CTRL_D = 4;
    private static final int ESCAPE = 27;
    private static final int BELL = 7;
    /** Empty reads after which input counts as ended: more than a second. */
    private static final int ENDS_OF_A_LOST_TERMINAL = 20;
    /** A character within this time after an escape belongs to its sequence, in milliseconds: a slow connection may deliver them apart. */
    private static final long ESCAPE_MILLIS = 250;
    /** The same for characters after those that begin a sequence. */
    private static final long SEQUENCE_MILLIS = 1000;

    private final Terminal terminal;
    private final Attributes before;
    private final NonBlockingReader keys;
    private final boolean colours;
    private final Thread hook = new Thread(this::end, "terminal");
    private List<Line> shown = new ArrayList<>();
    private int width;
    private int height;
    private char letter;
    private int endsInARow;
    private volatile boolean restored;
    private volatile boolean ending;

    /**
     * Opens the terminal of the process.
     *
     * @param colours whether to use colours
     * @throws IOException if the process has no terminal
     */
    public TerminalLoop(boolean colours) throws IOException {
        this.colours = colours;
        terminal = TerminalBuilder.builder().system(true).dumb(false).build();
        before = terminal.enterRawMode();
        keys = terminal.reader();
        Runtime.getRuntime().addShutdownHook(hook);
        terminal.puts(InfoCmp.Capability.enter_ca_mode);
        terminal.puts(InfoCmp.Capability.cursor_invisible);
        terminal.puts(InfoCmp.Capability.clear_screen);
        terminal.flush();
        resized();
    }

    /** Reads the size of the terminal; returns whether it changed. */
    public boolean resized() {
        try {
            return adapt(terminal.getSize());
        } catch (IllegalStateException e) {
            // A signal handler has closed the terminal.
            ending = true;
            return false;
        }
    }

    private boolean adapt(Size size) {
        // A terminal that reports no size is assumed to have 80 columns and 24 lines.
        int columns = size.getColumns() > 0 ? size.getColumns() : 80;
        int rows = size.getRows() > 0 ? size.getRows() : 24;
        if (columns == width && rows == height) {
            return false;
        }
        width = columns;
        height = rows;
        shown = new ArrayList<>();
        terminal.puts(InfoCmp.Capability.clear_screen);
        return true;
    }

    /** The width in columns. */
    public int width() {
        return width;
    }

    /** The height in lines. */
    public int height() {
        return height;
    }

    /** The letter or digit of the last {@link Key#LETTER} in lower case. */
    public char letter() {
        return letter;
    }

    /**
     * Waits for a key.
     *
     * @param timeoutMillis maximum wait, at least 1
     */
    public Key nextKey(long timeoutMillis) throws IOException {
        int read;
        try {
            read = keys.read(timeoutMillis);
        } catch (IOException e) {
            read = NonBlockingReader.EOF;
        } catch (IllegalStateException e) {
            // A signal handler has closed the terminal.
            return Key.QUIT;
        }
        if (ending) {
            return Key.QUIT;
        }
        if (read == NonBlockingReader.EOF) {
            return endOfInput(timeoutMillis);
        }
        endsInARow = 0;
        if (read == NonBlockingReader.READ_EXPIRED) {
            return Key.NONE;
        }
        return switch (read) {
            case CTRL_C, CTRL_D, 'q', 'Q' -> Key.QUIT;
            case '\t' -> Key.TAB;
            case ESCAPE -> sequence(keys);
            default -> {
                letter = Character.toLowerCase((char) read);
                yield Key.LETTER;
            }
        };
    }

    /**
     * Tells an idle terminal from a closed one. In raw mode a read without input returns no bytes, like the end of input; a closed
     * terminal returns nothing else.
     */
    private Key endOfInput(long timeoutMillis) {
        endsInARow++;
        if (endsInARow > ENDS_OF_A_LOST_TERMINAL) {
            return Key.QUIT;
        }
        LockSupport.parkNanos(timeoutMillis * 1_000_000);
        return Key.NONE;
    }

    /** Reads the sequence after an escape: a key, or a terminal's response, whose letters are not keys. */
    static Key sequence(NonBlockingReader keys) throws IOException {
        int kind = keys.read(ESCAPE_MILLIS);
        if (kind == 'P' || kind == ']' || kind == '_' || kind == '^') {
            skipString(keys);
            return Key.NONE;
        }
        if (kind != '[' && kind != 'O') {
            return Key.NONE;
        }
        int first = keys.read(SEQUENCE_MILLIS);
        int last = first;
        // Parameters and intermediates are below the final byte's range.
        while (last >= ' ' && last < '@') {
            last = keys.read(SEQUENCE_MILLIS);
        }
        return switch (first) {
            case 'A' -> Key.UP;
            case 'B' -> Key.DOWN;
            case 'C' -> Key.RIGHT;
            case 'D' -> Key.LEFT;
            case '5' -> last == '~' ? Key.PAGE_UP : Key.NONE;
            case '6' -> last == '~' ? Key.PAGE_DOWN : Key.NONE;
            default -> Key.NONE;
        };
    }

    /** Skips a control string up to its end: BEL, or ESC and a backslash. */
    private static void skipString(NonBlockingReader keys) throws IOException {
        int read = keys.read(SEQUENCE_MILLIS);
        while (read >= 0 && read != BELL) {
            int before = read;
            read = keys.read(SEQUENCE_MILLIS);
            if (before == ESCAPE && read == '\\') {
                return;
            }
        }
    }

    /** Draws one line per row of the terminal; only changed lines are written. */
    public void show(List<Line> lines) {
        if (ending) {
            return;
        }
        try {
            draw(lines);
        } catch (IllegalStateException e) {
            // A signal handler has closed the terminal.
            ending = true;
        }
    }

    private void draw(List<Line> lines) {
        PrintWriter out = terminal.writer();
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            if (i < shown.size() && shown.get(i).spans().equals(line.spans())) {
                continue;
            }
            out.print("\u001b[" + (i + 1) + ";1H");
            for (Line.Span span : line.spans()) {
                String code = code(span.style());
                out.print(code.isEmpty() ? span.text() : "\u001b[" + code + "m" + span.text() + "\u001b[0m");
            }
            // Clearing to the end of a full line would erase its last character.
            if (line.width() < width) {
                out.print("\u001b[K");
            }
        }
        shown = new ArrayList<>(lines);
        terminal.flush();
    }

    private String code(Style style) {
        return switch (style) {
            case PLAIN -> "";
            case DIM -> "2";
            case TITLE -> "1";
            case KEY -> colours ? "36" : "";
            case GOOD -> colours ? "1;36" : "1";
            case WARN -> colours ? "33" : "4";
            case BAD -> colours ? "1;31" : "7";
        };
    }

    private void end() {
        ending = true;
        restore();
    }

    /** Whether a signal is shutting the JVM down. */
    public boolean isEnding() {
        return ending;
    }

    private synchronized void restore() {
        if (restored) {
            return;
        }
        restored = true;
        try {
            terminal.puts(InfoCmp.Capability.cursor_visible);
            terminal.puts(InfoCmp.Capability.exit_ca_mode);
            terminal.setAttributes(before);
            terminal.flush();
        } catch (IllegalStateException e) {
            // JLine's shutdown hook ran first and has restored the terminal.
            byte[] page = VISIBLE_ON_THE_FIRST_PAGE.getBytes(StandardCharsets.US_ASCII);
            System.out.write(page, 0, page.length);
            System.out.flush();
        }
    }

    /** Waits for the shutdown of the JVM, whose hook restores the terminal. */
    public void awaitEnd() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < END_PATIENCE_NANOS) {
            LockSupport.parkNanos(END_PATIENCE_NANOS);
        }
    }

    @Override
    public void close() throws IOException {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // During a shutdown a hook can be neither added nor removed; the terminal is restored by then.
            return;
        }
        terminal.close();
    }
}
