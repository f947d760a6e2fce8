package io.metricsaggregator.tokens;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Semaphore;

/**
 * Counts with a {@code tokenizer.json} through HuggingFace's own tokenizers library. Its native code is unpacked once into a cache
 * folder; nothing is downloaded and nobody is told.
 */
public final class HuggingFaceTokenCounter implements TokenCounter {
    /** Characters that are encoded at a time, over all threads; each takes up to a kilobyte of native memory meanwhile. */
    private static final int IN_FLIGHT_CHARS = 128 * 1024;
    /** For each core, so that short texts never wait. */
    private static final int IN_FLIGHT_CHARS_PER_CORE = 8 * 1024;

    private final HuggingFaceTokenizer tokenizer;
    private final long handle;
    private final int inFlightMax = Math.max(
            IN_FLIGHT_CHARS, IN_FLIGHT_CHARS_PER_CORE * Runtime.getRuntime().availableProcessors());
    private final Semaphore inFlight = new Semaphore(inFlightMax, true);

    private HuggingFaceTokenCounter(HuggingFaceTokenizer tokenizer) {
        this.tokenizer = tokenizer;
        this.handle = tokenizer.getHandle();
    }

    /**
     * Loads a tokenizer. Takes some hundred milliseconds.
     *
     * @param file a {@code tokenizer.json}
     * @throws IOException if it is none, or the native library cannot be used here
     */
    public static HuggingFaceTokenCounter open(Path file) throws IOException {
        // Read by the library when it is first touched: without them it asks a cloud's metadata service where it runs.
        System.setProperty("OPT_OUT_TRACKING", "true");
        System.setProperty("DJL_OFFLINE", "true");
        if (System.getenv("DJL_CACHE_DIR") == null && System.getProperty("DJL_CACHE_DIR") == null) {
            System.setProperty("DJL_CACHE_DIR", cache().toString());
        }
        try {
            // Left to itself it cuts texts at 512 tokens and adds special ones.
            HuggingFaceTokenizer loaded = HuggingFaceTokenizer.builder()
                    .optTokenizerPath(file)
                    .optAddSpecialTokens(false)
                    .optTruncation(false)
                    .optPadding(false)
                    .build();
            return new HuggingFaceTokenCounter(loaded);
        } catch (RuntimeException e) {
            throw new IOException("tokenizer " + file + " cannot be read: " + e.getMessage(), e);
        } catch (LinkageError e) {
            throw new IOException(
                    "the native tokenizers library cannot be loaded here (it needs glibc 2.34 on x86_64 or aarch64): "
                            + e.getMessage(),
                    e);
        }
    }

    /** Where the native library is unpacked: the user's cache, or a folder for temporary files if there is none. */
    private static Path cache() throws IOException {
        String cacheHome = System.getenv("XDG_CACHE_HOME");
        Path base = cacheHome == null || cacheHome.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(cacheHome);
        Path own = base.resolve("metrics-aggregator");
        try {
            Files.createDirectories(own);
            if (Files.isWritable(own)) {
                return own;
            }
        } catch (IOException readOnlyHome) {
            // The folder for temporary files will do.
        }
        return Files.createTempDirectory("metrics-aggregator-tokenizers-");
    }

    @Override
    public long count(String text) {
        return tokens(text).length;
    }

    @Override
    public boolean joins(String whole, String left, String right) {
        long[] all = tokens(whole);
        long[] first = tokens(left);
        return first.length <= all.length
                && Arrays.equals(all, 0, first.length, first, 0, first.length)
                && Arrays.equals(Arrays.copyOfRange(all, first.length, all.length), tokens(right));
    }

    private long[] tokens(String text) {
        int held = Math.max(1, Math.min(text.length(), inFlightMax));
        inFlight.acquireUninterruptibly(held);
        try {
            // Identifiers alone: the full encoding would also build offsets and a string for each token.
            long encoding = TokenizersLibrary.LIB.encode(handle, text, false);
            try {
                return TokenizersLibrary.LIB.getTokenIds(encoding);
            } finally {
                TokenizersLibrary.LIB.deleteEncoding(encoding);
            }
        } finally {
            inFlight.release(held);
        }
    }

    @Override
    public String toString() {
        return "tokenizer " + tokenizer.getVersion();
    }
}
