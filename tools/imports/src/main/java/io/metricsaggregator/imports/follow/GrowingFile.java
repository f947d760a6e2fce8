package io.metricsaggregator.imports.follow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file that grows, from its start; it may not exist yet. A file that becomes shorter is read again from its start, and a file that another
 * takes the place of is read to its end before that one: a line that was cut there ends with a line feed of ours.
 */
public final class GrowingFile extends FollowedInput {
    private final Path file;
    private final Consumer<String> notes;
    private @Nullable FileChannel channel;
    private @Nullable Object key;
    private long position;
    private boolean withinLine;
    private boolean replaced;
    private boolean owesLineFeed;
    private long restarts;

    /**
     * Creates the stream; nothing is opened yet.
     *
     * @param notes receives a sentence for each time that the file was truncated or replaced
     */
    public GrowingFile(Path file, Watch watch, long idleMaxNanos, Consumer<String> notes) {
        super(watch, idleMaxNanos);
        this.file = file;
        this.notes = notes;
    }

    @Override
    int readNow(byte[] into, int offset, int length) throws IOException {
        if (channel == null && !open()) {
            return 0;
        }
        if (owesLineFeed) {
            owesLineFeed = false;
            withinLine = false;
            into[offset] = '\n';
            return 1;
        }
        FileChannel from = Objects.requireNonNull(channel, "opened above");
        int read = from.read(ByteBuffer.wrap(into, offset, length), position);
        if (read > 0) {
            position += read;
            withinLine = into[offset + read - 1] != '\n';
            return read;
        }
        if (replaced) {
            restart(file + " was replaced: its new content is read from the start");
            return readNow(into, offset, length);
        }
        if (from.size() < position) {
            restart(file + " was truncated from " + position + " to " + from.size()
                    + " bytes: its content is read again from the start");
            return readNow(into, offset, length);
        }
        // What the tool wrote into the old file before it opened the new one is read by the next call.
        replaced = isReplaced();
        return replaced ? readNow(into, offset, length) : 0;
    }

    private boolean open() throws IOException {
        try {
            channel = FileChannel.open(file, StandardOpenOption.READ);
            key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            position = 0;
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private boolean isReplaced() throws IOException {
        try {
            Object now = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            return now != null && !now.equals(key);
        } catch (NoSuchFileException e) {
            // Moved away; a new one may follow.
            return false;
        }
    }

    private void restart(String note) throws IOException {
        restarts++;
        notes.accept(note);
        owesLineFeed = withinLine;
        position = 0;
        if (replaced) {
            replaced = false;
            close();
            channel = null;
            open();
        }
    }

    /** How often the file was truncated or replaced. */
    public long restarts() {
        return restarts;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
