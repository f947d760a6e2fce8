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
 * A file that a command writes, with the permissions of what it was made from: what only its owner may read does not become readable
 * for others by way of a report. Nothing that is there is written over.
 */
final class OutputFile {
    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    private static final Set<PosixFilePermission> READING =
            EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

    private OutputFile() {}

    /** Writes a text as UTF-8 into a new file; sources as {@link #create} has them. */
    static void write(Path file, String text, Collection<Path> sources) throws IOException {
        try (OutputStream out = create(file, sources)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * Creates a file.
     *
     * @param sources what its content is made from: only who may read all of them may read it
     * @throws FileAlreadyExistsException if it is there
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
            // Whatever the umask says: the owner of the sources has decided already.
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

    /** The directory of a file that is to be written is not there. */
    private static IOException missing(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return new FileNotFoundException("cannot write " + file + ": the directory " + folder
                + (Files.exists(folder == null ? file : folder)
                        ? " cannot be used"
                        : " does not exist; make it first"));
    }

    /**
     * Makes a folder for such files, if it is missing, that only those can enter who may read all sources.
     *
     * @return the folder
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
