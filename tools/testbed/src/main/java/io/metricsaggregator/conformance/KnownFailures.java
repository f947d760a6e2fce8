package io.metricsaggregator.conformance;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A list of known failures: a line has a glob and a reason, {@code 06_flood/loss.*: drops above its high-water mark}. A glob with a slash names
 * checks of cases, one without names whole cases. Empty lines and lines that start with {@code #} are skipped. Immutable.
 */
public final class KnownFailures {
    private record Entry(Glob glob, boolean whole, String reason) {}

    private final List<Entry> entries;

    private KnownFailures(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** An empty list. */
    public static KnownFailures none() {
        return new KnownFailures(List.of());
    }

    /**
     * Reads a list.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if a line has no reason
     */
    public static KnownFailures read(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (String line : lines(file)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            int colon = line.indexOf(':');
            if (colon <= 0 || line.substring(colon + 1).isBlank()) {
                throw new IllegalArgumentException(file + ": '" + line + "' is not GLOB: REASON");
            }
            String glob = line.substring(0, colon).strip();
            entries.add(new Entry(
                    new Glob(glob),
                    !glob.contains("/"),
                    line.substring(colon + 1).strip()));
        }
        return new KnownFailures(entries);
    }

    private static List<String> lines(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(file + " is a directory, not a file");
        }
        try {
            return Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + " is not text in UTF-8", e);
        }
    }

    /** Marks the failures that the list names, and the passes that it names as failures. */
    public CaseResult apply(CaseResult result) {
        CaseResult marked = result;
        for (Entry entry : entries) {
            if (entry.whole() && entry.glob().matches(result.name())) {
                marked = whole(marked, entry);
            } else if (!entry.whole()) {
                marked = single(marked, entry);
            }
        }
        return marked;
    }

    private static CaseResult whole(CaseResult result, Entry entry) {
        boolean failed = result.checks().stream().anyMatch(check -> check.status() == CaseResult.Status.FAIL);
        List<CaseResult.Check> checks = new ArrayList<>();
        for (CaseResult.Check check : result.checks()) {
            checks.add(check.status() == CaseResult.Status.FAIL ? known(check, entry) : check);
        }
        if (!failed) {
            checks.add(unexpected("known-failing", entry));
        }
        return new CaseResult(result.name(), checks);
    }

    private static CaseResult single(CaseResult result, Entry entry) {
        List<CaseResult.Check> checks = new ArrayList<>();
        for (CaseResult.Check check : result.checks()) {
            if (!entry.glob().matches(result.name() + "/" + check.id())) {
                checks.add(check);
            } else if (check.status() == CaseResult.Status.FAIL) {
                checks.add(known(check, entry));
            } else {
                checks.add(check.status() == CaseResult.Status.PASS ? unexpected(check.id(), entry) : check);
            }
        }
        return new CaseResult(result.name(), checks);
    }

    private static CaseResult.Check known(CaseResult.Check check, Entry entry) {
        return new CaseResult.Check(
                check.id(),
                CaseResult.Status.KNOWN,
                check.message() + " (known: " + entry.reason() + ")",
                check.remedy());
    }

    private static CaseResult.Check unexpected(String id, Entry entry) {
        return new CaseResult.Check(
                id,
                CaseResult.Status.UNEXPECTED_PASS,
                "passes, but is listed as known to fail: " + entry.reason(),
                "Remove it from the list of known failures.");
    }
}
