package io.metricsaggregator.publish;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A disk in memory that fails, reports wrongly or is slow at scripted calls. A fake: it shows which calls are made, not what a kernel does. */
final class ScriptedDisk implements Disk {
    /** The names of the calls, in order. */
    final List<String> calls = new ArrayList<>();

    /** Contents by path. */
    final Map<Path, byte[]> files = new HashMap<>();

    private int failAt = -1;
    private int failures = 1;
    private int writeMax = Integer.MAX_VALUE;
    private int room = Integer.MAX_VALUE;
    private boolean losesHalf;
    private byte[] readBack;
    private IOException cause;
    private IOException deleteFailure;
    private byte[] everywhere;

    /** Makes the {@code n}-th call, from 0, and the following ones fail, {@code times} in all. */
    ScriptedDisk failingAt(int call, int times) {
        failAt = call;
        failures = times;
        return this;
    }

    /** Makes that failure, and no other call, fail with a cause. */
    ScriptedDisk failingAt(int call, IOException with) {
        cause = with;
        return failingAt(call, 1);
    }

    /** Limits each write to so many bytes. */
    ScriptedDisk writingAtMost(int bytes) {
        writeMax = bytes;
        return this;
    }

    /** Limits the size of a file in bytes. */
    ScriptedDisk withRoomFor(int bytes) {
        room = bytes;
        return this;
    }

    /** Makes every removal of a file fail. */
    ScriptedDisk failingToDelete(IOException with) {
        deleteFailure = with;
        return this;
    }

    /** Makes every path to be created exist already. */
    ScriptedDisk havingEveryName(byte[] content) {
        everywhere = content;
        return this;
    }

    /** Reports every write as complete while keeping half of it. */
    ScriptedDisk losingHalf() {
        losesHalf = true;
        return this;
    }

    /** Reads back these bytes, whatever was written. */
    ScriptedDisk readingBack(byte[] bytes) {
        readBack = bytes;
        return this;
    }

    private void call(String what) throws IOException {
        int number = calls.size();
        calls.add(what);
        if (failAt >= 0 && number >= failAt && failures > 0) {
            failures--;
            throw cause == null ? new IOException("scripted failure of " + what) : cause;
        }
    }

    @Override
    public File create(Path path) throws IOException {
        call("create");
        if (everywhere != null) {
            files.put(path, everywhere);
        }
        if (files.containsKey(path)) {
            throw new FileAlreadyExistsException(path.toString());
        }
        files.put(path, new byte[0]);
        return new File() {
            @Override
            public int write(ByteBuffer bytes) throws IOException {
                call("write");
                int size = Math.min(writeMax, bytes.remaining());
                byte[] old = files.get(path);
                if (old.length + size > room) {
                    throw new IOException("no space left on device");
                }
                byte[] longer = java.util.Arrays.copyOf(old, old.length + (losesHalf ? size / 2 : size));
                bytes.get(bytes.position(), longer, old.length, longer.length - old.length);
                bytes.position(bytes.position() + size);
                files.put(path, longer);
                return size;
            }

            @Override
            public long size() throws IOException {
                call("size");
                return files.get(path).length;
            }

            @Override
            public void force() throws IOException {
                call("fsync");
            }

            @Override
            public void close() throws IOException {
                call("close");
            }
        };
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        call("rename");
        byte[] content = files.remove(from);
        if (content == null) {
            throw new NoSuchFileException(from.toString());
        }
        files.put(to, content);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        call("fsync directory");
    }

    @Override
    public InputStream open(Path path) throws IOException {
        call("read");
        return new ByteArrayInputStream(readBack == null ? files.get(path) : readBack);
    }

    @Override
    public void deleteIfExists(Path path) throws IOException {
        if (deleteFailure != null) {
            throw deleteFailure;
        }
        files.remove(path);
    }
}
