package io.metricsaggregator.parquet;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** A stream as parquet-java's output file. Counts the bytes; closing the file flushes the stream and leaves it open for its owner. */
final class StreamOutputFile implements OutputFile {
    private final Counting stream;

    StreamOutputFile(OutputStream out) {
        this.stream = new Counting(out);
    }

    @Override
    public PositionOutputStream create(long blockSizeHint) {
        return stream;
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) {
        return stream;
    }

    @Override
    public boolean supportsBlockSize() {
        return false;
    }

    @Override
    public long defaultBlockSize() {
        return 0;
    }

    private static final class Counting extends PositionOutputStream {
        private final OutputStream out;
        private long position;

        Counting(OutputStream out) {
            this.out = out;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
            position++;
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            out.write(bytes, start, length);
            position += length;
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
