package io.metricsaggregator.imports;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates the members of a gzip file one after another, as far as they go: damage ends the text instead of failing the read, and is
 * counted. {@link java.util.zip.GZIPInputStream} fails on a member that was cut, loses one whose header was cut, and may take a pause of a
 * pipe for the end. One thread.
 */
final class GzipText extends InputStream {
    /** Reason of {@link #damage} for a file that ends within a member. */
    static final String CUT = "truncated";

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int HEADER_CRC = 2;

    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final byte[] input = new byte[BUFFER_BYTES];
    private final byte[] single = new byte[1];
    private final Map<String, Long> damage = new TreeMap<>();
    private int position;
    private int limit;
    private boolean inMember;
    private boolean ended;

    /** Reads from {@code in}, which stands at the first header. Closing does nothing to {@code in}. */
    GzipText(InputStream in) {
        this.in = in;
    }

    /** Whether the first bytes of a file, at most two, are those of gzip. A file of one byte may be one that was cut there. */
    static boolean isGzip(byte[] start) {
        return start.length > 0 && (start[0] & 0xff) == 0x1f && (start.length == 1 || (start[1] & 0xff) == 0x8b);
    }

    /**
     * The damage met so far, by reason: {@value #CUT}, {@code gzip_damaged} where the rest cannot be inflated, {@code gzip_checksum_wrong}
     * for each member whose content is not what was compressed, {@code gzip_trailing_bytes} for something else after the last member.
     */
    Map<String, Long> damage() {
        return damage;
    }

    @Override
    public int read() throws IOException {
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!ended) {
            if (!inMember) {
                startMember();
                continue;
            }
            int inflated = inflate(into, offset, length);
            if (inflated > 0) {
                crc.update(into, offset, inflated);
                return inflated;
            }
            if (inflater.finished()) {
                endMember();
            } else if (!ended && !fill()) {
                end(CUT);
            }
        }
        return -1;
    }

    private int inflate(byte[] into, int offset, int length) {
        long before = inflater.getBytesWritten();
        try {
            int inflated = inflater.inflate(into, offset, length);
            if (inflated == 0 && inflater.needsDictionary()) {
                end("gzip_damaged");
            }
            return inflated;
        } catch (DataFormatException e) {
            int inflated = (int) (inflater.getBytesWritten() - before);
            end("gzip_damaged");
            return inflated;
        }
    }

    private void end(String reason) {
        damage.merge(reason, 1L, Long::sum);
        ended = true;
        inflater.end();
    }

    /** Gives the inflater the next bytes of the file; returns whether there are any. */
    private boolean fill() throws IOException {
        if (position == limit) {
            position = 0;
            limit = Math.max(0, in.read(input, 0, BUFFER_BYTES));
        }
        inflater.setInput(input, position, limit - position);
        boolean any = limit > position;
        position = limit;
        return any;
    }

    /** The next byte outside of compressed data; −1 at the end of the file. */
    private int next() throws IOException {
        if (position == limit) {
            position = 0;
            limit = Math.max(0, in.read(input, 0, BUFFER_BYTES));
            if (limit == 0) {
                return -1;
            }
        }
        return input[position++] & 0xff;
    }

    /** Reads a header, or finds that the file ends. */
    private void startMember() throws IOException {
        int first = next();
        int second = first == 0x1f ? next() : 0;
        if (first < 0) {
            ended = true;
            inflater.end();
        } else if (first == 0x1f && second < 0) {
            end(CUT);
        } else if (first != 0x1f || second != 0x8b) {
            trailing(first);
        } else {
            int method = next();
            if (method >= 0 && method != 8) {
                end("gzip_damaged");
            } else if (skipHeader(next())) {
                inMember = true;
            } else {
                end(CUT);
            }
        }
    }

    /** Steps over the header after its flags; returns whether all of it is there. */
    private boolean skipHeader(int flags) throws IOException {
        boolean whole = skip(6);
        if (whole && (flags & EXTRA) != 0) {
            int low = next();
            int high = next();
            whole = high >= 0 && skip(low | high << 8);
        }
        for (int text : new int[] {NAME, COMMENT}) {
            int each = whole && (flags & text) != 0 ? 1 : 0;
            while (each > 0) {
                each = next();
            }
            whole &= each == 0;
        }
        return whole && ((flags & HEADER_CRC) == 0 || skip(2));
    }

    private boolean skip(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            if (next() < 0) {
                return false;
            }
        }
        return true;
    }

    /** Bytes of 0 after the last member are padding. */
    private void trailing(int first) throws IOException {
        int each = first;
        while (each == 0) {
            each = next();
        }
        if (each > 0) {
            end("gzip_trailing_bytes");
        } else {
            ended = true;
            inflater.end();
        }
    }

    private void endMember() throws IOException {
        position = limit - inflater.getRemaining();
        long size = inflater.getBytesWritten() & 0xffffffffL;
        long expectedCrc = little();
        long expectedSize = little();
        if (expectedSize < 0) {
            end(CUT);
            return;
        }
        if (expectedCrc != crc.getValue() || expectedSize != size) {
            damage.merge("gzip_checksum_wrong", 1L, Long::sum);
        }
        inMember = false;
        inflater.reset();
        crc.reset();
    }

    /** Four bytes, the lowest first; −1 at the end of the file. */
    private long little() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 32; shift += 8) {
            int each = next();
            if (each < 0) {
                return -1;
            }
            value |= (long) each << shift;
        }
        return value;
    }
}
