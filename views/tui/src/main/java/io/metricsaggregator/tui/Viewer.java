package io.metricsaggregator.tui;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Applies keys to the view and redraws the screen when it may have changed. Belongs to the loop's thread. */
public final class Viewer {
    /** Redraw interval for the age and other times. */
    private static final long REDRAW_NANOS = 100_000_000L;

    private static final long MESSAGE_NANOS = 4_000_000_000L;
    private static final int SHOTS_MAX = 1000;

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Screen screen;
    private final History history;
    private final TerminalLoop terminal;
    private final ViewState view = new ViewState();
    private long drawnNanos = Long.MIN_VALUE;
    private long saidNanos;
    private History.@Nullable Entry drawn;

    /** Creates a viewer that draws {@code history} on {@code terminal}. */
    public Viewer(Screen screen, History history, TerminalLoop terminal) {
        this.screen = screen;
        this.history = history;
        this.terminal = terminal;
    }

    /**
     * Waits briefly for a key, applies it and redraws.
     *
     * @return false to leave the screen
     */
    public boolean turn(long nowNanos, long keyMillis) throws IOException {
        TerminalLoop.Key key = terminal.nextKey(keyMillis);
        if (key == TerminalLoop.Key.QUIT) {
            return false;
        }
        boolean changed = terminal.resized() || key != TerminalLoop.Key.NONE;
        if (key != TerminalLoop.Key.NONE) {
            press(key, nowNanos);
        }
        if (!view.message().isEmpty() && nowNanos - saidNanos > MESSAGE_NANOS) {
            view.message("");
        }
        if (changed
                || history.newest() != drawn
                || nowNanos - drawnNanos >= REDRAW_NANOS
                || drawnNanos == Long.MIN_VALUE) {
            terminal.show(screen.render(history, view, nowNanos, terminal.width(), terminal.height()));
            drawn = history.newest();
            drawnNanos = nowNanos;
        }
        return true;
    }

    private void press(TerminalLoop.Key key, long nowNanos) {
        switch (key) {
            case LEFT -> step(-1);
            case RIGHT -> step(1);
            case UP -> view.scroll(-1);
            case DOWN -> view.scroll(1);
            case PAGE_UP -> view.scroll(-terminal.height() / 2);
            case PAGE_DOWN -> view.scroll(terminal.height() / 2);
            case TAB -> view.nextPreset();
            case LETTER -> letter(terminal.letter(), nowNanos);
            case NONE, QUIT -> {}
        }
    }

    private void letter(char letter, long nowNanos) {
        switch (letter) {
            case '1', '2', '3', '4', '5', '6', '7', '8', '9' -> view.preset(ViewState.Preset.values()[letter - '1']);
            case 'e' -> view.preset(ViewState.Preset.ERRORS);
            case 'w' -> view.nextWindow();
            case 'm' -> view.nextMetric();
            case 'b' -> baseline(nowNanos);
            case '?', 'h' -> view.toggleHelp();
            case 'p' -> hold();
            case 's' -> save(nowNanos);
            case 'j' -> view.scroll(1);
            case 'k' -> view.scroll(-1);
            default -> say("unknown key '" + letter + "': ? shows the keys", nowNanos);
        }
    }

    private void baseline(long nowNanos) {
        if (screen.hasBaseline()) {
            view.toggleBaseline();
        } else {
            say("no baseline to compare with: leave, and start watch with --baseline FILE", nowNanos);
        }
    }

    private void say(String text, long nowNanos) {
        view.message(text);
        saidNanos = nowNanos;
    }

    private void hold() {
        History.Entry newest = history.newest();
        if (view.isPaused()) {
            view.release();
        } else if (newest != null) {
            view.hold(newest.nanos);
        }
    }

    private void step(int steps) {
        History.Entry from = view.isPaused() ? history.at(view.heldNanos()) : history.newest();
        if (from != null) {
            view.hold(history.neighbour(from, steps).nanos);
        }
    }

    /** Saves the screen as a text file; never overwrites one. */
    private void save(long nowNanos) {
        String text = screen.text(history, view, nowNanos, terminal.width(), terminal.height());
        for (int i = 1; i <= SHOTS_MAX; i++) {
            Path file = Path.of(String.format(Locale.ROOT, "watch-%03d.txt", i));
            try {
                // Private, like the sockets that the data came from.
                Files.createFile(file, PRIVATE);
                Files.writeString(file, text);
                say("saved " + file.toAbsolutePath(), nowNanos);
                return;
            } catch (FileAlreadyExistsException taken) {
                // The file exists: try the next number.
                view.message("");
            } catch (IOException e) {
                say("cannot save in " + file.toAbsolutePath().getParent(), nowNanos);
                return;
            }
        }
        say("not saved: this directory has " + SHOTS_MAX + " screens already", nowNanos);
    }
}
