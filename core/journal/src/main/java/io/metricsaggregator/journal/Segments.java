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

    static boolean isSegment(String name) {
        return NAME.matcher(name).matches();
    }

    private static boolean isSegmentFile(Path path) {
        return isSegment(path.getFileName().toString()) && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** The number in the name of a segment. */
    static int number(String name) {
        return Integer.parseInt(name.replaceAll("[^0-9]", ""));
    }

    /** The segments in the order they were written. */
    static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Segments::isSegmentFile).sorted().toList();
        }
    }
}
