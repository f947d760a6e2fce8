package io.metricsaggregator.imports.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A temporary file of encoded records: appended first, then read by offset. The file has no name, so it vanishes with the process.
 * Holds 1 MiB of memory while it is written; reading maps the file. One thread.
 */
final class Scratch implements Closeable {
    private static final int STAGING_BYTES = 1 << 20;
    /** No record crosses a multiple of this, so that each lies in one mapping. */
    private static final long MAPPING_BYTES = 1L << 30;

    private final Path folder;
    private final FileChannel channel;
    private final ByteBuffer staging = ByteBuffer.allocate(STAGING_BYTES);
    private final List<MappedByteBuffer> mappings = new ArrayList<>();
    private long size;

    /** Creates the file in {@code folder}. */
    Scratch(Path folder) throws IOException {
        this.folder = folder;
        channel = temporary(folder);
    }

    /** Opens a new file without a name: its room is free again when it is closed, however the process ends. */
    static FileChannel temporary(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, ".import-", ".tmp");
        try {
            return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Appends a record and returns its offset. */
    long append(byte[] record) throws IOException {
        int length = Integer.BYTES + record.length;
        if (size / MAPPING_BYTES != (size + length - 1) / MAPPING_BYTES) {
            flush();
            size = (size / MAPPING_BYTES + 1) * MAPPING_BYTES;
            channel.position(size);
        }
        long offset = size;
        if (staging.remaining() < length) {
            flush();
        }
        if (length > STAGING_BYTES) {
            write(ByteBuffer.allocate(Integer.BYTES).putInt(record.length).flip());
            write(ByteBuffer.wrap(record));
        } else {
            staging.putInt(record.length).put(record);
        }
        size += length;
        return offset;
    }

    private void flush() throws IOException {
        write(staging.flip());
        staging.clear();
    }

    private void write(ByteBuffer bytes) throws IOException {
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new IOException("cannot write a temporary file in " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Ends writing; records can be read from now on. */
    void seal() throws IOException {
        flush();
        for (long start = 0; start < size; start += MAPPING_BYTES) {
            mappings.add(channel.map(FileChannel.MapMode.READ_ONLY, start, Math.min(MAPPING_BYTES, size - start)));
        }
    }

    /** Reads the record at an offset that {@link #append} returned. */
    byte[] read(long offset) {
        MappedByteBuffer mapping = mappings.get((int) (offset / MAPPING_BYTES));
        int start = (int) (offset % MAPPING_BYTES);
        byte[] record = new byte[mapping.getInt(start)];
        mapping.get(start + Integer.BYTES, record);
        return record;
    }

    @Override
    public void close() throws IOException {
        mappings.clear();
        channel.close();
    }
}
