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
 * Locks a resource, such as a socket path or an output directory, for one process. The operating system releases the lock when the
 * process ends, however it ends. The file stays, because removing it would race with processes about to lock it. Symbolic links are
 * not followed.
 *
 * <p>These are POSIX locks: closing any descriptor of the file releases this process's lock. So the file is opened once,
 * and a second attempt in this process does not open it at all.
 */
public final class LockFile implements Closeable {
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel file;

    private LockFile(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
    }

    /** Another process or this one holds the lock. The message names it: "in use by pid 17". */
    public static final class HeldException extends IOException {
        private static final long serialVersionUID = 1L;

        HeldException(String message) {
            super(message);
        }
    }

    /**
     * Takes the lock.
     *
     * @throws HeldException if another process, or this one, holds it
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

    /** Releases the lock; the file stays. */
    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            HELD_HERE.remove(path);
        }
    }
}
