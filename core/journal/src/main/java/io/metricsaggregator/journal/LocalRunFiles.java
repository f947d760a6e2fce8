package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of a run in a folder of this machine. */
record LocalRunFiles(Path folder) implements RunFiles {
    @Override
    public String name() {
        return folder.toString();
    }

    @Override
    public List<Segment> segments() throws IOException {
        List<Segment> segments = new ArrayList<>();
        for (Path each : Segments.list(folder)) {
            segments.add(new LocalSegment(each));
        }
        return segments;
    }

    @Override
    public @Nullable String text(String file) throws IOException {
        Path path = folder.resolve(file);
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? Files.readString(path) : null;
    }

    private record LocalSegment(Path path) implements Segment {
        @Override
        public String name() {
            return path.getFileName().toString();
        }

        @Override
        public Content open() throws IOException {
            FileChannel channel = FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            try {
                return new Content(channel, channel.size());
            } catch (IOException e) {
                channel.close();
                throw e;
            }
        }
    }
}
