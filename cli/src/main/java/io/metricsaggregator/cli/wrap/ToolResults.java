package io.metricsaggregator.cli.wrap;

import io.metricsaggregator.cli.wrap.TargetRule.Directive;
import io.metricsaggregator.cli.wrap.ToolCommand.Flag;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.format.Formats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The files that a tool has written during the run and that an import reads. Looks at up to 20,000 files, six folders deep. */
final class ToolResults {
    private static final int DEPTH = 6;
    private static final int FILES_MAX = 20_000;

    private ToolResults() {}

    /**
     * Finds the files.
     *
     * @param sinceMillis start of the tool, milliseconds since 1970
     * @return the newest of each name, in one folder; empty if there are none
     */
    static List<Path> find(TargetPlan plan, long sinceMillis) throws IOException {
        TargetRule rule = plan.rule();
        if (rule == null) {
            return List.of();
        }
        List<Path> found = new ArrayList<>();
        for (Directive each : rule.all("result")) {
            List<String> words = each.arguments();
            List<String> flags =
                    words.stream().filter(word -> word.startsWith("-")).toList();
            Path folder = Path.of(words.get(1 + flags.size()));
            List<PathMatcher> names = words.subList(2 + flags.size(), words.size()).stream()
                    .map(name -> FileSystems.getDefault().getPathMatcher("glob:" + name))
                    .toList();
            List<Flag> given = flags.isEmpty() ? List.of() : plan.command().flags(flags);
            if (given.isEmpty()) {
                add(folder, names, sinceMillis, found);
            }
            for (Flag flag : given) {
                // k6 writes its format before the file: json=FILE.
                Path place =
                        Path.of(flag.value().startsWith("json=") ? flag.value().substring(5) : flag.value());
                add(place, names, sinceMillis, found);
            }
        }
        return newest(found);
    }

    private static void add(Path place, List<PathMatcher> names, long sinceMillis, List<Path> found)
            throws IOException {
        if (!Files.isDirectory(place)) {
            // Locust adds a suffix, whatever the name has.
            Stream.of(place, Path.of(place + ".json"))
                    .filter(each -> isNew(each, sinceMillis))
                    .forEach(found::add);
            return;
        }
        try (Stream<Path> files = Files.walk(place, DEPTH)) {
            files.limit(FILES_MAX)
                    .filter(each -> names.stream().anyMatch(name -> name.matches(each.getFileName())))
                    .filter(each -> isNew(each, sinceMillis))
                    .forEach(found::add);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static boolean isNew(Path file, long sinceMillis) {
        try {
            return Files.isRegularFile(file) && Files.getLastModifiedTime(file).toMillis() >= sinceMillis - 1000;
        } catch (IOException e) {
            return false;
        }
    }

    /** The files of the uppermost folder, of several the one with the newest file, those that hold requests first. */
    private static List<Path> newest(List<Path> found) throws IOException {
        List<Path> readable = new ArrayList<>();
        for (Path each : found) {
            try (ImportSource source = ImportSource.open(each)) {
                if (Formats.recognising(source.head()) != null) {
                    readable.add(each);
                }
            }
        }
        Path last = readable.stream()
                // AIPerf repeats its files in folders of its phases.
                .max(Comparator.comparingInt((Path each) ->
                                -each.toAbsolutePath().normalize().getNameCount())
                        .thenComparingLong(each -> each.toFile().lastModified()))
                .orElse(null);
        if (last == null) {
            return List.of();
        }
        Path folder = last.toAbsolutePath().getParent();
        return readable.stream()
                .filter(each -> Objects.equals(each.toAbsolutePath().getParent(), folder))
                // AIPerf's raw file has the requests of the other once more.
                .filter(each -> !each.getFileName().toString().equals("profile_export_raw.jsonl"))
                .sorted(Comparator.comparing((Path each) -> !each.toString().endsWith(".jsonl"))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }
}
