package io.metricsaggregator.collect;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the kernel's text files under /proc and /sys. Each call reads its file again. A file that is missing, or that this process may not
 * read, is not an error: hosts and containers differ in what they show. Any thread.
 */
public final class ProcFiles {
    private static final long PAGE_BYTES = 4096;
    private static final String NUMBER = "\\d{1,18}";

    private final Path root;

    /**
     * The files under a directory.
     *
     * @param root the directory that has proc and sys; {@code /} but in tests
     */
    public ProcFiles(Path root) {
        this.root = root;
    }

    /** The files of this host. */
    public static ProcFiles ofThisHost() {
        return new ProcFiles(Path.of("/"));
    }

    /** The place of a file, given by its path below the root, such as {@code proc/stat}. */
    Path path(String file) {
        return root.resolve(file);
    }

    /** The text of a file, such as {@code proc/stat}; null if it cannot be read. */
    @Nullable
    String text(String file) {
        return text(root.resolve(file));
    }

    static @Nullable String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** The first line of a file; null if it is empty or cannot be read. */
    public @Nullable String firstLine(String file) {
        String text = text(file);
        return text == null ? null : text.lines().findFirst().orElse(null);
    }

    /** The words of each line, of which there is at least one per line; no rows if the file cannot be read. */
    List<String[]> rows(String file) {
        String text = text(file);
        List<String[]> rows = new ArrayList<>();
        if (text != null) {
            text.lines().forEach(line -> rows.add(line.strip().split("\\s+")));
        }
        return rows;
    }

    /** The text after the colon of the first line that starts with a name, such as {@code MemTotal}; null if there is no such line. */
    public @Nullable String field(String file, String name) {
        String text = text(file);
        return text == null
                ? null
                : text.lines()
                        .filter(line -> line.startsWith(name))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElse(null);
    }

    /** A word of a row as a number from 0 to 10^18-1; 0 if the row is shorter or the word is not such a number. */
    static long number(String[] row, int i) {
        Long number = i < row.length ? number(row[i]) : null;
        return number == null ? 0 : number;
    }

    /** A number from 0 to 10^18-1; null for other text. */
    static @Nullable Long number(@Nullable String text) {
        return text == null || !text.matches(NUMBER) ? null : (Long) Long.parseLong(text);
    }

    /** Resident memory of this process in bytes; null if unknown. */
    public @Nullable Long residentBytes() {
        List<String[]> rows = rows("proc/self/statm");
        String[] row = rows.isEmpty() ? new String[0] : rows.get(0);
        Long pages = row.length > 1 ? number(row[1]) : null;
        return pages == null ? null : (Long) (pages * PAGE_BYTES);
    }

    /** Most file descriptors that this process may have open (the soft limit); null if unlimited or unknown. */
    public @Nullable Long openFilesMax() {
        String name = "Max open files";
        String text = text("proc/self/limits");
        for (String line : text == null ? List.<String>of() : text.lines().toList()) {
            if (line.startsWith(name)) {
                return number(line.substring(name.length()).strip().split("\\s", 2)[0]);
            }
        }
        return null;
    }

    /** File descriptors that this process has open, the one for this count included; 0 if unknown. */
    public int openFiles() {
        int count = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve("proc/self/fd"))) {
            for (Path entry : entries) {
                count += entry.toString().isEmpty() ? 0 : 1;
            }
        } catch (IOException e) {
            return count;
        }
        return count;
    }
}
