package io.metricsaggregator.tokens;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds a model's {@code tokenizer.json} on this machine. Nothing is downloaded. */
public final class TokenizerFile {
    private static final String NAME = "tokenizer.json";

    private TokenizerFile() {}

    /**
     * Finds a tokenizer.
     *
     * @param wanted a {@code tokenizer.json}, a folder with one, or the name of a model in the local hub cache, such as {@code
     *     org/model}
     * @throws FileNotFoundException if none is found; the message names the searched places and how to get one
     * @throws NoSuchFileException if a path does not exist
     */
    public static Path find(String wanted) throws IOException {
        return find(wanted, hubCache());
    }

    static Path find(String wanted, Path hub) throws IOException {
        Path given = Path.of(wanted);
        if (Files.isRegularFile(given)) {
            return given;
        }
        if (Files.isDirectory(given)) {
            Path inside = given.resolve(NAME);
            if (Files.isRegularFile(inside)) {
                return inside;
            }
            throw withoutTokenizerJson(wanted, given);
        }
        if (wanted.matches("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)?")) {
            Path snapshots = hub.resolve("models--" + wanted.replace("/", "--")).resolve("snapshots");
            if (Files.isDirectory(snapshots)) {
                try (Stream<Path> revisions = Files.list(snapshots)) {
                    List<Path> all = revisions.toList();
                    Path newest = all.stream()
                            .map(revision -> revision.resolve(NAME))
                            .filter(Files::isRegularFile)
                            .max((a, b) -> Long.compare(modified(a), modified(b)))
                            .orElse(null);
                    if (newest != null) {
                        return newest;
                    }
                    if (!all.isEmpty()) {
                        throw withoutTokenizerJson(wanted, snapshots);
                    }
                }
            }
            throw new FileNotFoundException(
                    "tokenizer " + wanted + " not found: neither a file or directory nor a model"
                            + " in " + hub + ". Nothing is downloaded; fetch it first: hf download " + wanted
                            + " --include '*token*' '*.jinja'");
        }
        throw new NoSuchFileException(wanted);
    }

    /** The hint how to convert a tokenizer that transformers stores in another format. */
    private static FileNotFoundException withoutTokenizerJson(String wanted, Path folder) {
        return new FileNotFoundException("tokenizer " + wanted + " has no " + NAME + " in " + folder
                + ". Convert it once with transformers: python3 -c 'from transformers import AutoTokenizer as A;"
                + " A.from_pretrained(\"" + wanted + "\").save_pretrained(\"OUT\")', and use --tokenizer OUT");
    }

    private static long modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path hubCache() {
        String hub = System.getenv("HF_HUB_CACHE");
        if (hub != null && !hub.isEmpty()) {
            return Path.of(hub);
        }
        String home = System.getenv("HF_HOME");
        return home != null && !home.isEmpty()
                ? Path.of(home, "hub")
                : Path.of(System.getProperty("user.home"), ".cache", "huggingface", "hub");
    }
}
