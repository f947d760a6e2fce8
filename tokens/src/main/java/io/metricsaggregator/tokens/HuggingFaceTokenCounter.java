package io.metricsaggregator.tokens;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Semaphore;

/**
 * Counts with a {@code tokenizer.json} through HuggingFace's own tokenizers library. The native library is unpacked once
 * into a cache folder; nothing is downloaded or reported. Thread-safe.
 */
public final class HuggingFaceTokenCounter implements TokenCounter {
    /** Maximum number of characters encoded concurrently; each takes up to a kilobyte of native memory. */
    private static final int IN_FLIGHT_CHARS = 128 * 1024;
    /** Number of characters per core that are encoded without waiting, so that short texts are never delayed. */
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
     * Loads a tokenizer, which takes some hundred milliseconds.
     *
     * @param file a {@code tokenizer.json}
     * @throws IOException if it is malformed or the native library cannot be loaded
     */
    public static HuggingFaceTokenCounter open(Path file) throws IOException {
        // DJL reads these properties on first use; without them it queries the metadata service of a cloud provider.
        System.setProperty("OPT_OUT_TRACKING", "true");
        System.setProperty("DJL_OFFLINE", "true");
        if (System.getenv("DJL_CACHE_DIR") == null && System.getProperty("DJL_CACHE_DIR") == null) {
            System.setProperty("DJL_CACHE_DIR", cache().toString());
        }
        try {
            // By default the tokenizer truncates at 512 tokens and adds special ones.
            HuggingFaceTokenizer loaded = HuggingFaceTokenizer.builder()
                    .optTokenizerPath(file)
                    .optAddSpecialTokens(false)
                    .optTruncation(false)
                    .optPadding(false)
                    .build();
            return new HuggingFaceTokenCounter(loaded);
        } catch (RuntimeException e) {
            throw new IOException("cannot read tokenizer " + file + ": " + e.getMessage(), e);
        } catch (LinkageError e) {
            throw new IOException(
                    "cannot load the native tokenizers library on this machine (it needs glibc 2.34 on x86_64 or aarch64): "
                            + e.getMessage(),
                    e);
        }
    }

    /** Returns the folder for the native library: in the user's cache, or a temporary one if that is not writable. */
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
            // The home directory is not writable: use the temporary folder.
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
            // Request only ids: the full encoding would also build offsets and a string per token.
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
