package io.metricsaggregator.tokens;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * Counts with a {@code tokenizer.json} through HuggingFace's own tokenizers library. The native library is unpacked once
 * into a cache folder; nothing is downloaded or reported. Thread-safe.
 */
public final class HuggingFaceTokenCounter implements TokenCounter {
    /** Maximum number of characters encoded concurrently; each takes up to a kilobyte of native memory. */
    private static final int IN_FLIGHT_CHARS = 128 * 1024;
    /** Number of characters per core that are encoded without waiting, so that short texts are never delayed. */
    private static final int IN_FLIGHT_CHARS_PER_CORE = 8 * 1024;

    /** System property that names the class loader which has loaded the shared file of the native library. */
    private static final String LIBRARY_OWNER = "metricsaggregator.tokenizers.owner";
    /** System property by which DJL finds the folder of the native library. */
    private static final String LIBRARY_FOLDER = "ENGINE_CACHE_DIR";

    /** Stands for the class loader of this class. */
    private static final String CLASS_LOADER = UUID.randomUUID().toString();

    private static boolean loadedCopy;

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
            loadLibrary();
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

    /**
     * Loads the native library. The virtual machine loads a file for one class loader alone, and servers such as Flink's task managers load this class
     * again for each job: every class loader but the first one gets a copy of its own, which is deleted once it is loaded.
     */
    private static void loadLibrary() throws IOException {
        // The one object that all class loaders share by contract.
        synchronized (System.getProperties()) {
            String owner = System.getProperty(LIBRARY_OWNER);
            if (owner == null) {
                System.setProperty(LIBRARY_OWNER, CLASS_LOADER);
            } else if (!owner.equals(CLASS_LOADER) && !loadedCopy) {
                loadCopy();
                loadedCopy = true;
                return;
            }
            LibUtils.checkStatus();
        }
    }

    private static void loadCopy() throws IOException {
        Path folder = Files.createTempDirectory("metrics-aggregator-tokenizers-");
        System.setProperty(LIBRARY_FOLDER, folder.toString());
        try {
            LibUtils.checkStatus();
        } finally {
            System.clearProperty(LIBRARY_FOLDER);
            delete(folder);
        }
    }

    /** Deletes a folder with the files in it; what cannot be deleted, as a loaded library on some systems, stays. */
    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
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
