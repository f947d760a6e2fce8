package io.metricsaggregator.cli.console;

import io.metricsaggregator.journal.DurableDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that a command writes, as {@code -o} names it. A file gets the read permissions that all of its sources have, so that a report does
 * not expose data that others cannot read. It appears whole or not at all, and never replaces a file; a pipe, a device or standard output
 * receives what is written at once.
 */
public final class OutputFile implements Closeable {
    private static final Set<PosixFilePermission> READING =
            EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);
    private static final Set<Path> STANDARD_OUTPUT =
            Set.of(Path.of("/dev/stdout"), Path.of("/dev/fd/1"), Path.of("/proc/self/fd/1"));

    private final OutputStream stream;
    /** Null for a pipe, a device or standard output. */
    private final @Nullable DurableFile file;

    private OutputFile(OutputStream stream, @Nullable DurableFile file) {
        this.stream = stream;
        this.file = file;
    }

    /**
     * Starts to write.
     *
     * @param path a file that does not exist, in a directory that does; or a pipe or device
     * @param sources the files its content comes from; only users who can read all of them can read it
     * @throws FileAlreadyExistsException if the file exists
     */
    public static OutputFile create(Path path, Collection<Path> sources) throws IOException {
        if (STANDARD_OUTPUT.contains(path.toAbsolutePath().normalize())) {
            return new OutputFile(Terminal.output(), null);
        }
        if (isPipeOrDevice(path)) {
            return new OutputFile(new NamedStream(path, Files.newOutputStream(path, StandardOpenOption.WRITE)), null);
        }
        DurableFile file = DurableFile.create(path, permissions(sources));
        return new OutputFile(file.stream(), file);
    }

    private static boolean isPipeOrDevice(Path path) throws IOException {
        return Files.exists(path)
                && Files.readAttributes(path, BasicFileAttributes.class).isOther();
    }

    /** Writes a text as UTF-8; see {@link #create}. */
    public static void write(Path path, String text, Collection<Path> sources) throws IOException {
        try (OutputFile file = create(path, sources)) {
            file.stream().write(text.getBytes(StandardCharsets.UTF_8));
            file.commit();
        }
    }

    /**
     * Writes several texts as UTF-8, all or none of them.
     *
     * @param texts by file; none of the files may exist
     */
    public static void writeAll(Map<Path, String> texts, Collection<Path> sources) throws IOException {
        for (Path path : texts.keySet()) {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(path.toString());
            }
        }
        List<DurableFile> files = new ArrayList<>();
        boolean complete = false;
        try {
            for (Map.Entry<Path, String> each : texts.entrySet()) {
                DurableFile file = DurableFile.create(each.getKey(), permissions(sources));
                files.add(file);
                file.stream().write(each.getValue().getBytes(StandardCharsets.UTF_8));
            }
            for (DurableFile file : files) {
                file.commit();
            }
            complete = true;
        } finally {
            for (DurableFile file : files) {
                if (!complete) {
                    file.withdraw();
                }
                file.close();
            }
        }
    }

    /** Receives the content. */
    public OutputStream stream() {
        return stream;
    }

    /** Gives the file its name; nothing is written afterwards. */
    public void commit() throws IOException {
        if (file == null) {
            stream.flush();
        } else {
            file.commit();
        }
    }

    /** Deletes the file unless it was committed. */
    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        } else if (stream instanceof NamedStream pipe) {
            pipe.close();
        }
    }

    /** The permissions of a file with content of others. */
    public static Set<PosixFilePermission> permissions(Collection<Path> sources) throws IOException {
        Set<PosixFilePermission> permissions =
                EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        permissions.addAll(READING);
        for (Path source : sources) {
            Set<PosixFilePermission> own = Files.getPosixFilePermissions(source);
            permissions.removeIf(each -> READING.contains(each) && !own.contains(each));
        }
        return permissions;
    }

    /**
     * Creates a directory for such files if it is missing. Only users who can read all sources can enter it.
     *
     * @return the directories created, the innermost first
     */
    public static List<Path> folder(Path folder, Collection<Path> sources) throws IOException {
        Set<PosixFilePermission> mode = permissions(sources);
        mode.add(PosixFilePermission.OWNER_EXECUTE);
        if (mode.contains(PosixFilePermission.GROUP_READ)) {
            mode.add(PosixFilePermission.GROUP_EXECUTE);
        }
        if (mode.contains(PosixFilePermission.OTHERS_READ)) {
            mode.add(PosixFilePermission.OTHERS_EXECUTE);
        }
        return DurableDirectory.create(folder, PosixFilePermissions.asFileAttribute(mode));
    }

    /** Removes directories that {@link #folder} created, as far as they are empty. */
    public static void remove(List<Path> created) throws IOException {
        for (Path each : created) {
            try (var content = Files.list(each)) {
                if (content.findAny().isPresent()) {
                    return;
                }
            }
            Files.delete(each);
        }
    }
}
