package io.metricsaggregator.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Creates the files that a command writes. A file gets the read permissions that all of its sources have, so that a report does not expose
 * data that others cannot read. Existing files are never overwritten.
 */
final class OutputFile {
    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    private static final Set<PosixFilePermission> READING =
            EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

    private OutputFile() {}

    /** Writes a text as UTF-8 into a new file; see {@link #create} for the sources. */
    static void write(Path file, String text, Collection<Path> sources) throws IOException {
        try (OutputStream out = create(file, sources)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * Creates a file.
     *
     * @param sources the files its content comes from; only users who can read all of them can read it
     * @throws FileAlreadyExistsException if the file exists
     */
    static OutputStream create(Path file, Collection<Path> sources) throws IOException {
        Set<PosixFilePermission> permissions = EnumSet.copyOf(OWNER);
        permissions.addAll(READING);
        for (Path source : sources) {
            Set<PosixFilePermission> own = Files.getPosixFilePermissions(source);
            permissions.removeIf(each -> READING.contains(each) && !own.contains(each));
        }
        OutputStream out = open(file);
        try {
            // Set after creation, because the umask must not change what the sources decide.
            Files.setPosixFilePermissions(file, permissions);
        } catch (IOException e) {
            out.close();
            throw e;
        }
        return out;
    }

    private static OutputStream open(Path file) throws IOException {
        try {
            return Channels.newOutputStream(Files.newByteChannel(
                    file,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(OWNER)));
        } catch (NoSuchFileException e) {
            throw missing(file);
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

    /**
     * Creates a directory for such files if it is missing. Only users who can read all sources can enter it.
     *
     * @return the directory
     */
    static Path folder(Path folder, Collection<Path> sources) throws IOException {
        if (!Files.isDirectory(folder)) {
            Set<PosixFilePermission> mode = EnumSet.of(
                    PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
            boolean group = true;
            boolean others = true;
            for (Path source : sources) {
                Set<PosixFilePermission> own = Files.getPosixFilePermissions(source);
                group &= own.contains(PosixFilePermission.GROUP_READ);
                others &= own.contains(PosixFilePermission.OTHERS_READ);
            }
            if (group) {
                mode.addAll(List.of(PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_EXECUTE));
            }
            if (others) {
                mode.addAll(List.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_EXECUTE));
            }
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(mode));
        }
        return folder;
    }
}
