package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names and lists the segment files of a run. */
final class Segments {
    private static final Pattern NAME = Pattern.compile("segment-([0-9]{8})\\.journal");

    private Segments() {}

    static String name(int number) {
        return String.format(Locale.ROOT, "segment-%08d.journal", number);
    }

    static boolean isSegment(Path path) {
        return NAME.matcher(path.getFileName().toString()).matches()
                && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
    }

    static int number(Path path) {
        return Integer.parseInt(path.getFileName().toString().replaceAll("[^0-9]", ""));
    }

    /** The segments in the order they were written. */
    static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Segments::isSegment).sorted().toList();
        }
    }
}
