package io.metricsaggregator.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;

/**
 * A file that appears under its name only when it is complete and durable. It is written beside its place under a name that starts with a
 * dot, fsynced and renamed; {@link #close} deletes what was not committed.
 */
final class DurableFile implements Closeable {
    private final Path file;
    private final Path top;
    private final Path temporary;
    private final OutputStream stream;
    private boolean committed;

    private DurableFile(Path file, Path top, Path temporary, OutputStream stream) {
        this.file = file;
        this.top = top;
        this.temporary = temporary;
        this.stream = stream;
    }

    /**
     * Starts a file.
     *
     * @param file its folders are created if missing
     * @param top the folder at or above that of {@code file} from which on entries are fsynced
     * @param sources the files its content comes from; see {@link OutputFile#create}
     * @throws FileAlreadyExistsException if {@code file} exists
     */
    static DurableFile create(Path file, Path top, Collection<Path> sources) throws IOException {
        refuseExisting(file);
        OutputFile.folder(folder(file), sources);
        Path temporary =
                file.resolveSibling("." + file.getFileName() + "." + Long.toHexString(System.nanoTime()) + ".tmp");
        return new DurableFile(file, top, temporary, OutputFile.create(temporary, sources));
    }

    private static void refuseExisting(Path file) throws FileAlreadyExistsException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(file.toString());
        }
    }

    private static Path folder(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IllegalArgumentException(file + " is a folder");
        }
        return folder;
    }

    /** Receives the content; the caller closes it before {@link #commit}. */
    OutputStream stream() {
        return stream;
    }

    /**
     * Makes the content durable and gives the file its name.
     *
     * @throws FileAlreadyExistsException if another process wrote {@code file} meanwhile, which stays as it is
     */
    void commit() throws IOException {
        sync(temporary, StandardOpenOption.WRITE);
        try {
            // A link, unlike a rename, never replaces a file.
            Files.createLink(file, temporary);
            Files.delete(temporary);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException e) {
            // The file system has no links.
            refuseExisting(file);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        }
        committed = true;
        Path last = top.toAbsolutePath().normalize();
        for (Path each = folder(file).normalize(); each != null && each.startsWith(last); each = each.getParent()) {
            sync(each, StandardOpenOption.READ);
        }
    }

    private static void sync(Path path, StandardOpenOption mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
        if (!committed) {
            Files.deleteIfExists(temporary);
        }
    }
}
