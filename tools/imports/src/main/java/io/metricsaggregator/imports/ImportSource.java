package io.metricsaggregator.imports;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file to import, or standard input: decompressed if it starts with the magic number of gzip, without a byte order mark, read once
 * from start to end. A compressed file that was cut or damaged is read as far as it inflates. One thread.
 */
public final class ImportSource implements Closeable {
    /** Decompressed bytes that any file may have, whatever it was compressed from. */
    private static final long ANY_RATIO_BYTES = 1L << 30;
    /** Largest ratio of decompressed to compressed bytes beyond that. */
    private static final long RATIO_MAX = 250;
    /** Bytes read after the content of an input that may be endless, such as a pipe. */
    private static final long REST_MAX_BYTES = 64L << 20;

    private final String name;
    private final @Nullable Path file;
    private final InputStream from;
    private final Counted raw;
    private final MessageDigest sha256;
    private final @Nullable GzipText gzip;
    private final Lines text;
    private final SourceHead head;
    private final @Nullable String foreign;

    private ImportSource(String name, @Nullable Path file, InputStream from, boolean growing) throws IOException {
        this.name = name;
        this.file = file;
        this.from = from;
        try {
            this.sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
        this.raw = new Counted(new DigestInputStream(from, sha256), Long.MAX_VALUE, null);
        BufferedInputStream buffered = new BufferedInputStream(raw, 1 << 16);
        byte[] start = peek(buffered, 2);
        this.gzip = GzipText.isGzip(start) ? new GzipText(buffered) : null;
        InputStream plain = gzip == null ? buffered : new Counted(gzip, RATIO_MAX, raw);
        byte[] first = growing ? firstLine(plain) : plain.readNBytes(SourceHead.BYTES);
        int skip =
                first.length >= 3 && (first[0] & 0xff) == 0xef && (first[1] & 0xff) == 0xbb && (first[2] & 0xff) == 0xbf
                        ? 3
                        : 0;
        this.head = SourceHead.of(Arrays.copyOfRange(first, skip, first.length));
        this.foreign = ForeignContent.of(first);
        this.text =
                new Lines(new SequenceInputStream(new ByteArrayInputStream(first, skip, first.length - skip), plain));
    }

    /** The first line with its end, at most {@link SourceHead#BYTES}: more would wait for what is yet to be written. */
    private static byte[] firstLine(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int each = in.read(); each >= 0; each = in.read()) {
            line.write(each);
            if (each == '\n' || line.size() == SourceHead.BYTES) {
                break;
            }
        }
        return line.toByteArray();
    }

    private static byte[] peek(BufferedInputStream in, int bytes) throws IOException {
        in.mark(bytes);
        byte[] start = in.readNBytes(bytes);
        in.reset();
        return start;
    }

    /**
     * Opens a file.
     *
     * @throws IOException if it cannot be read; the message names the file
     */
    public static ImportSource open(Path file) throws IOException {
        InputStream in = Files.newInputStream(file);
        try {
            return new ImportSource(String.valueOf(file.getFileName()), file, in, false);
        } catch (IOException e) {
            in.close();
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /** Reads from a stream, such as standard input; {@code name} stands for the name of a file. */
    public static ImportSource of(String name, InputStream in) throws IOException {
        return new ImportSource(name, null, in, false);
    }

    /** Reads from a stream that a tool still writes: returns once its first line is there. {@code name} stands for the name of a file. */
    public static ImportSource growing(String name, InputStream in) throws IOException {
        return new ImportSource(name, null, in, true);
    }

    /** Name of the file without its folder. */
    public String name() {
        return name;
    }

    /** The file; null for a stream. */
    public @Nullable Path file() {
        return file;
    }

    /** Whether it is a pipe or a device rather than a file, and may never end. */
    public boolean mayBeEndless() {
        return file == null || !Files.isRegularFile(file);
    }

    /** The start of the file. */
    public SourceHead head() {
        return head;
    }

    /** What the content is instead of text that a format reads, such as UTF-16, and what to do, as the end of a sentence; null for neither. */
    public @Nullable String foreign() {
        return foreign;
    }

    /** Whether the file is compressed and was found to end too early, so that the last record may be a part of one. */
    public boolean isCut() {
        return gzip != null && gzip.damage().containsKey(GzipText.CUT);
    }

    /** Whether the file is compressed. */
    public boolean isCompressed() {
        return gzip != null;
    }

    /** Damage of the compression met so far, by reason: {@code truncated} and others; empty for a file that is not compressed. */
    public Map<String, Long> damage() {
        return gzip == null ? Map.of() : Map.copyOf(gzip.damage());
    }

    /** Line of the decompressed text that is read at present, from 1; a reader may be 64 KiB ahead of the record that it parses. */
    public long line() {
        return text.lines + 1;
    }

    /** The decompressed content from the start. Every call returns the same stream. */
    public InputStream text() {
        return text;
    }

    /** Bytes of the file read so far, compressed as they are. */
    public long bytes() {
        return raw.count;
    }

    /**
     * Reads the rest of the file and returns the SHA-256 of all its bytes.
     *
     * @return 64 hexadecimal digits
     * @throws IOException if the file cannot be read, or is a pipe or device that goes on for more than 64 MiB after its content
     */
    public String sha256() throws IOException {
        if (gzip != null) {
            drain(text);
        }
        drain(raw);
        return HexFormat.of().formatHex(sha256.digest());
    }

    private void drain(InputStream in) throws IOException {
        boolean endless = mayBeEndless();
        byte[] buffer = new byte[1 << 16];
        long rest = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            rest += read;
            if (endless && rest > REST_MAX_BYTES) {
                throw new IOException(
                        "more than " + (REST_MAX_BYTES >> 20)
                                + " MiB follow the end of its content or its first damage: an endless input cannot be imported");
            }
        }
    }

    @Override
    public void close() throws IOException {
        from.close();
    }

    /** Counts the line feeds that were read. */
    private static final class Lines extends FilterInputStream {
        private long lines;

        Lines(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            lines += value == '\n' ? 1 : 0;
            return value;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            for (int i = offset; i < offset + read; i++) {
                lines += into[i] == '\n' ? 1 : 0;
            }
            return read;
        }

        /** Does nothing: parsers close what they read to its end, but the digest may need the rest of the file. */
        @Override
        public void close() {
            // ImportSource.close closes the file.
        }
    }

    /** Counts bytes; fails when they exceed a multiple of what {@code compressed} has read. */
    private static final class Counted extends FilterInputStream {
        private final long ratioMax;
        private final @Nullable Counted compressed;
        private long count;

        Counted(InputStream in, long ratioMax, @Nullable Counted compressed) {
            super(in);
            this.ratioMax = ratioMax;
            this.compressed = compressed;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            add(value < 0 ? 0 : 1);
            return value;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            add(Math.max(0, read));
            return read;
        }

        /** Does nothing: parsers close what they read to its end, but the digest may need the rest of the file. */
        @Override
        public void close() {
            // ImportSource.close closes the file.
        }

        @Override
        public boolean markSupported() {
            return false;
        }

        private void add(int bytes) throws IOException {
            count += bytes;
            if (compressed != null && count > ANY_RATIO_BYTES && count / ratioMax > compressed.count) {
                throw new IOException("the compressed file expands more than " + ratioMax + " times, beyond " + count
                        + " bytes: decompress it first if that is right");
            }
        }
    }
}
