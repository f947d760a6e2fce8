package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The end of a file that grows by direct I/O, in whole pages: bytes that do not fill the last page are written padded with zeros, and again with those that
 * follow. Belongs to the thread that writes.
 */
final class PagedFile {
    /** Bytes that one call writes at most; a multiple of {@link BlockWriter#PAGE}. */
    static final int BYTES = 1 << 20;

    private final FileChannel file;
    private final ByteBuffer pages;
    /** Place in the file of the first byte of {@link #pages}, a multiple of {@link BlockWriter#PAGE}. */
    private long position;

    /**
     * An empty file.
     *
     * @param file opened for direct I/O
     * @param pages {@link #BYTES} that begin at a page; nobody else uses them until the next file
     */
    PagedFile(FileChannel file, ByteBuffer pages) {
        this.file = file;
        this.pages = pages.clear();
    }

    /** Memory for {@link #PagedFile}. */
    static ByteBuffer pages() {
        return ByteBuffer.allocateDirect(BYTES + BlockWriter.PAGE)
                .alignedSlice(BlockWriter.PAGE)
                .limit(BYTES)
                .slice();
    }

    /**
     * Takes the next bytes, and writes them at the latest in {@link #flush}.
     *
     * @param content consumed
     * @throws IOException if they cannot be written
     */
    void put(ByteBuffer content) throws IOException {
        while (content.hasRemaining()) {
            int count = Math.min(content.remaining(), pages.remaining());
            pages.put(content.slice(content.position(), count));
            content.position(content.position() + count);
            if (!pages.hasRemaining()) {
                writeFully(file, pages.flip(), position);
                position += BYTES;
                pages.clear();
            }
        }
    }

    /**
     * Writes all bytes taken.
     *
     * @throws IOException if they cannot be written
     */
    void flush() throws IOException {
        int end = pages.position();
        int whole = end & -BlockWriter.PAGE;
        while (pages.position() % BlockWriter.PAGE != 0) {
            pages.put((byte) 0);
        }
        writeFully(file, pages.flip(), position);
        position += whole;
        // The bytes of the last page come first, for the next writes.
        pages.clear().put(0, pages, whole, end - whole).position(end - whole);
    }

    /**
     * Writes whole pages.
     *
     * @param pages consumed
     * @throws IOException if not all are written
     */
    static void writeFully(FileChannel into, ByteBuffer pages, long position) throws IOException {
        long at = position;
        while (pages.hasRemaining()) {
            int count = into.write(pages, at);
            at += count;
            if (pages.hasRemaining() && at % BlockWriter.PAGE != 0) {
                // Direct I/O cannot go on within a page; a disk that is full ends a write there.
                throw new IOException("the file took " + count + " bytes only: no space left on device?");
            }
        }
    }
}
