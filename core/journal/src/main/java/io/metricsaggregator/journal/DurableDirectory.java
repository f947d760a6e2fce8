package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** Creates directories that survive a power failure: a file that is fsynced in a directory whose own entry is not can be lost with it. */
public final class DurableDirectory {
    private DurableDirectory() {}

    /**
     * Creates a directory and its missing parents, and fsyncs the directory that holds each new one. A directory that exists and is empty may
     * be one whose creator was killed before that fsync, so the directory that holds it is fsynced too. Does nothing else if it exists.
     *
     * @param attributes of each new directory
     * @return the directories created, the innermost first
     * @throws IOException if one cannot be created or fsynced; those created before remain
     */
    public static List<Path> create(Path wanted, FileAttribute<?>... attributes) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        Path existing = wanted.toAbsolutePath().normalize();
        while (!Files.exists(existing)) {
            missing.push(existing);
            existing = holder(existing);
        }
        if (isEmpty(existing)) {
            syncEntries(holder(existing));
        }
        List<Path> created = new ArrayList<>();
        for (Path each : missing) {
            // Unlike createDirectory, this accepts a directory that another process created meanwhile.
            Files.createDirectories(each, attributes);
            created.add(each);
            syncEntries(holder(each));
        }
        Collections.reverse(created);
        return created;
    }

    /** The directory that holds a path; the root is held by itself. */
    static Path holder(Path path) {
        return path.toAbsolutePath().resolve("..").normalize();
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            return !entries.iterator().hasNext();
        } catch (AccessDeniedException | NotDirectoryException unreadable) {
            return false;
        }
    }

    /** Fsyncs a directory, unless this user can add entries to it but not read it, and so not open it. */
    private static void syncEntries(Path directory) throws IOException {
        try {
            sync(directory);
        } catch (AccessDeniedException unreadable) {
            // The entry becomes durable when the file system writes it.
        } catch (IOException e) {
            throw new IOException("the entries of " + directory + " cannot be fsynced: " + e.getMessage(), e);
        }
    }

    /** Returns when a file, or the entries of a directory, are on the storage device. */
    static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
