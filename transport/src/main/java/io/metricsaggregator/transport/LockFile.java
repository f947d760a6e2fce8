package io.metricsaggregator.transport;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file that says which process has something: a socket path, an output directory. The lock dies with its process, however that
 * ends. The file stays: to remove one that others may be about to lock cannot be done without a race. It is never reached through a
 * link.
 *
 * <p>These are POSIX locks: closing any descriptor of the file, for whatever reason it was opened, gives this process's lock up.
 * So the file is opened once and never looked at by its name, and a second attempt in this process does not open it at all.
 */
public final class LockFile implements Closeable {
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel file;

    private LockFile(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
    }

    /** Somebody has it. The message names the process: "in use by pid 17". */
    public static final class HeldException extends IOException {
        private static final long serialVersionUID = 1L;

        HeldException(String message) {
            super(message);
        }
    }

    /**
     * Takes the lock.
     *
     * @throws HeldException if another process, or this one, has it
     */
    public static LockFile acquire(Path wanted) throws IOException {
        Path path = wanted.toAbsolutePath().normalize();
        if (!HELD_HERE.add(path)) {
            throw new HeldException("in use by pid " + ProcessHandle.current().pid());
        }
        try {
            return new LockFile(path, lock(path));
        } catch (IOException e) {
            HELD_HERE.remove(path);
            throw e;
        }
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel file = FileChannel.open(
                path,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        if (file.tryLock() == null) {
            String holder = holder(file);
            file.close();
            throw new HeldException("in use by " + holder);
        }
        byte[] mark = ("pid " + ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
        file.truncate(0);
        file.write(ByteBuffer.wrap(mark), 0);
        return file;
    }

    private static String holder(FileChannel file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(64);
        file.read(bytes, 0);
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII).trim();
        return text.matches("pid \\d+") ? text : "another process";
    }

    /** Gives the lock back. */
    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            HELD_HERE.remove(path);
        }
    }
}
