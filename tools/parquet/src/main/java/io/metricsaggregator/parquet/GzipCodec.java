package io.metricsaggregator.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Parquet's codec GZIP over {@link java.util.zip}: parquet-java's own asks Hadoop for its compressor. */
final class GzipCodec implements CompressionCodecFactory {
    private static final int BUFFER_BYTES = 1 << 13;

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName name) {
        require(name);
        return new Compressor();
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
        require(name);
        return new Decompressor();
    }

    private static void require(CompressionCodecName name) {
        if (name != CompressionCodecName.GZIP) {
            throw new IllegalArgumentException("the codec " + name + " is not supported; GZIP is");
        }
    }

    @Override
    public void release() {
        // Each page has a deflater of its own, which its stream ends.
    }

    private static final class Compressor implements BytesInputCompressor {
        @Override
        public BytesInput compress(BytesInput page) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER_BYTES);
            try (GZIPOutputStream gzip = new GZIPOutputStream(bytes, BUFFER_BYTES)) {
                page.writeAllTo(gzip);
            }
            return BytesInput.from(bytes);
        }

        @Override
        public CompressionCodecName getCodecName() {
            return CompressionCodecName.GZIP;
        }

        @Override
        public void release() {
            // Nothing is kept between pages.
        }
    }

    private static final class Decompressor implements BytesInputDecompressor {
        @Override
        public BytesInput decompress(BytesInput page, int size) throws IOException {
            try (InputStream gzip = new GZIPInputStream(page.toInputStream(), BUFFER_BYTES)) {
                return BytesInput.from(exactly(gzip, size));
            }
        }

        @Override
        public void decompress(ByteBuffer page, int compressedSize, ByteBuffer to, int size) throws IOException {
            byte[] bytes = new byte[compressedSize];
            page.get(bytes);
            try (InputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes), BUFFER_BYTES)) {
                to.put(exactly(gzip, size));
            }
        }

        private static byte[] exactly(InputStream gzip, int size) throws IOException {
            byte[] bytes = gzip.readNBytes(size);
            if (bytes.length != size) {
                throw new IOException("a page has " + bytes.length + " bytes, its header says " + size);
            }
            return bytes;
        }

        @Override
        public void release() {
            // Nothing is kept between pages.
        }
    }
}
