package io.metricsaggregator.simulation.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An open file or folder of the simulated disk. */
final class DiskChannel extends FileChannel {
    private final SimulatedDisk disk;
    private final Node node;
    private final Path path;
    private final boolean append;
    private final boolean direct;
    private long position;

    /**
     * A channel at the beginning of its file.
     *
     * @param direct whether writes go past the page cache, by whole pages
     */
    DiskChannel(SimulatedDisk disk, Node node, Path path, boolean append, boolean direct) {
        this.disk = disk;
        this.node = node;
        this.path = path;
        this.append = append;
        this.direct = direct;
        disk.opened(this);
    }

    /** What it was opened for. */
    Path path() {
        return path;
    }

    private FileNode file() throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        if (node instanceof FileNode file) {
            return file;
        }
        throw new IOException(path + " is a directory");
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int count = read(into, position);
        position += Math.max(0, count);
        return count;
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return read(into[offset]);
    }

    @Override
    public int read(ByteBuffer into, long at) throws IOException {
        FileNode file = file();
        if (at >= file.size()) {
            return -1;
        }
        byte[] some = new byte[(int) Math.min(into.remaining(), file.size() - at)];
        file.read((int) at, some);
        into.put(some);
        return some.length;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        position = append ? file().size() : position;
        int count = write(from, position);
        position += count;
        return count;
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        long written = 0;
        for (int i = offset; i < offset + length; i++) {
            written += write(from[i]);
        }
        return written;
    }

    @Override
    public int write(ByteBuffer from, long at) throws IOException {
        FileNode file = file();
        int count = disk.writable(path, from.remaining(), direct);
        byte[] some = new byte[count];
        from.get(some);
        if (count > 0) {
            file.write(some, (int) at);
        }
        return count;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long at) {
        position = at;
        return this;
    }

    @Override
    public long size() throws IOException {
        return file().size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        FileNode file = file();
        disk.attempt("truncate", path);
        file.truncate((int) size);
        return this;
    }

    @Override
    public void force(boolean metadata) throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        try {
            disk.attempt(node instanceof FolderNode ? "force-folder" : "force", path);
        } catch (IOException e) {
            node.forceFailed();
            throw e;
        }
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        if (!disk.lies()) {
            node.force();
        }
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long at, long length) throws IOException {
        disk.attempt("map", path);
        return file().map(length);
    }

    @Override
    public FileLock lock(long at, long length, boolean shared) {
        throw new UnsupportedOperationException("lock");
    }

    /** As a POSIX lock, of the whole file: null while another process holds it. */
    @Override
    public @Nullable FileLock tryLock(long at, long length, boolean shared) {
        if (!disk.lock(node, path)) {
            return null;
        }
        return new FileLock(this, at, length, shared) {
            @Override
            public boolean isValid() {
                return isOpen();
            }

            @Override
            public void release() {}
        };
    }

    @Override
    public long transferTo(long at, long count, WritableByteChannel into) {
        throw new UnsupportedOperationException("transferTo");
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long at, long count) {
        throw new UnsupportedOperationException("transferFrom");
    }

    @Override
    protected void implCloseChannel() {
        disk.closed(this, node);
    }
}
