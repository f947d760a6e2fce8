package io.metricsaggregator.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of one run's journal, on this machine or in a store that is read as streams. Read by one thread. */
public interface RunFiles {
    /** Name of the folder for messages and logs: a path or a URI. */
    String name();

    /**
     * The segments in the order they were written.
     *
     * @throws IOException if the folder cannot be listed
     */
    List<Segment> segments() throws IOException;

    /**
     * The text of a small file beside the segments, in UTF-8.
     *
     * @return null if there is no such file
     * @throws IOException if it cannot be read
     */
    @Nullable
    String text(String file) throws IOException;

    /** One segment of the run. */
    interface Segment {
        /** File name of the segment, without its folder. */
        String name();

        /**
         * Opens the segment at its start.
         *
         * @throws IOException if it cannot be opened
         */
        Content open() throws IOException;
    }

    /**
     * The content of an open segment.
     *
     * @param channel the bytes from the start on; blocking
     * @param bytes size of the segment when it was opened
     */
    record Content(ReadableByteChannel channel, long bytes) implements Closeable {
        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** The files of a run in a folder of this machine. Symbolic links are not followed. */
    static RunFiles local(Path folder) {
        return new LocalRunFiles(folder);
    }

    /** Whether a file of this name is a segment. Names of segments sort in the order the segments were written. */
    static boolean isSegment(String name) {
        return Segments.isSegment(name);
    }
}
