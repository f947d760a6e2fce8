package io.metricsaggregator.cli.console;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that appears under its name only when it is complete and fsynced. It is written beside its place under a name that starts with a
 * dot, fsynced and renamed; {@link #close} and the end of the process delete what was not committed. Errors name the file.
 */
public final class DurableFile implements Closeable {
    private static final int NAME_MAX = 60;

    private final Path file;
    private final Path temporary;
    private final OutputStream stream;
    /** The folder from which on entries are fsynced; null for none. */
    private final @Nullable Path top;
    /** The folders made for the file, the innermost first. */
    private final List<Path> created;

    private boolean committed;

    private DurableFile(Path file, Path temporary, OutputStream stream, @Nullable Path top, List<Path> created) {
        this.file = file;
        this.temporary = temporary;
        this.stream = stream;
        this.top = top;
        this.created = created;
    }

    /**
     * Starts a file.
     *
     * @param file its directory must exist
     * @param permissions of the file, whatever the umask
     * @throws FileAlreadyExistsException if {@code file} exists
     */
    public static DurableFile create(Path file, Set<PosixFilePermission> permissions) throws IOException {
        refuseExisting(file);
        return start(file, permissions, null, List.of());
    }

    /**
     * Starts a file whose folders are created if missing, and whose entry is fsynced.
     *
     * @param top the folder at or above that of {@code file} from which on entries are fsynced
     * @param sources the files its content comes from; see {@link OutputFile#create}
     * @throws FileAlreadyExistsException if {@code file} exists
     */
    public static DurableFile create(Path file, Path top, Collection<Path> sources) throws IOException {
        refuseExisting(file);
        Path folder = file.toAbsolutePath().getParent();
        return start(
                file,
                OutputFile.permissions(sources),
                top,
                folder == null ? List.of() : OutputFile.folder(folder, sources));
    }

    private static DurableFile start(
            Path file, Set<PosixFilePermission> permissions, @Nullable Path top, List<Path> created)
            throws IOException {
        String name = String.valueOf(file.getFileName());
        // A name may be as long as the file system allows, so only its beginning is taken.
        Path temporary = file.resolveSibling("." + name.substring(0, Math.min(name.length(), NAME_MAX)) + "."
                + Long.toHexString(System.nanoTime()) + ".tmp");
        OutputStream out = open(file, temporary);
        temporary.toFile().deleteOnExit();
        DurableFile started = new DurableFile(file, temporary, new NamedStream(file, out), top, created);
        try {
            // Set after creation, because the umask must not change them.
            Files.setPosixFilePermissions(temporary, permissions);
        } catch (IOException e) {
            started.close();
            throw NamedStream.failure(file, e);
        }
        return started;
    }

    private static OutputStream open(Path file, Path temporary) throws IOException {
        try {
            return Channels.newOutputStream(Files.newByteChannel(
                    temporary,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
        } catch (NoSuchFileException e) {
            throw missing(file);
        } catch (IOException e) {
            throw NamedStream.failure(file, e);
        }
    }

    /** The error for a file whose directory is missing or cannot be used. */
    private static IOException missing(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return new FileNotFoundException("cannot write " + file + ": the directory " + folder
                + (Files.exists(folder == null ? file : folder)
                        ? " cannot be used"
                        : " does not exist. Create it first"));
    }

    private static void refuseExisting(Path file) throws FileAlreadyExistsException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(file.toString());
        }
    }

    /** Receives the content; {@link #commit} closes it. */
    public OutputStream stream() {
        return stream;
    }

    /** The file until it is committed, for a library that writes to a path. */
    public Path temporary() {
        return temporary;
    }

    /**
     * Makes the content durable and gives the file its name.
     *
     * @throws FileAlreadyExistsException if another process wrote {@code file} meanwhile, which stays as it is
     */
    public void commit() throws IOException {
        stream.close();
        try {
            sync(temporary, StandardOpenOption.WRITE);
            rename();
            committed = true;
            syncFolders();
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException e) {
            throw NamedStream.failure(file, e);
        }
    }

    private void syncFolders() throws IOException {
        if (top == null) {
            return;
        }
        Path last = top.toAbsolutePath().normalize();
        Path folder = file.toAbsolutePath().normalize().getParent();
        for (Path each = folder; each != null && each.startsWith(last); each = each.getParent()) {
            sync(each, StandardOpenOption.READ);
        }
    }

    private void rename() throws IOException {
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
    }

    /** Deletes the file if it was committed, because another that belongs to it was not. */
    void withdraw() throws IOException {
        if (committed) {
            Files.deleteIfExists(file);
        }
    }

    private static void sync(Path path, StandardOpenOption mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            stream.close();
        } finally {
            if (!committed) {
                Files.deleteIfExists(temporary);
                OutputFile.remove(created);
            }
        }
    }
}
