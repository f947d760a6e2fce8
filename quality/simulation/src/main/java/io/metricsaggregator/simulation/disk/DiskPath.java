package io.metricsaggregator.simulation.disk;

import java.io.File;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A path of the simulated disk. It has no links. */
final class DiskPath implements Path {
    private final SimulatedDisk disk;
    private final String text;
    private @Nullable List<String> names;

    DiskPath(SimulatedDisk disk, String text) {
        this.disk = disk;
        this.text = text.length() > 1 && text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    static DiskPath of(Path path) {
        if (path instanceof DiskPath own) {
            return own;
        }
        throw new ProviderMismatchException();
    }

    private DiskPath with(String other) {
        return new DiskPath(disk, other);
    }

    /** The names from the root, without {@code .} and {@code ..}. */
    List<String> names() {
        List<String> known = names;
        if (known == null) {
            Deque<String> found = new ArrayDeque<>();
            for (String name : parts()) {
                if (name.equals("..")) {
                    found.pollLast();
                } else if (!name.equals(".")) {
                    found.add(name);
                }
            }
            known = List.copyOf(found);
            names = known;
        }
        return known;
    }

    private List<String> parts() {
        List<String> parts = new ArrayList<>();
        for (int start = 0, end; start < text.length(); start = end + 1) {
            end = text.indexOf('/', start);
            end = end < 0 ? text.length() : end;
            if (end > start) {
                parts.add(text.substring(start, end));
            }
        }
        return parts;
    }

    @Override
    public FileSystem getFileSystem() {
        return disk;
    }

    @Override
    public boolean isAbsolute() {
        return text.startsWith("/");
    }

    @Override
    public @Nullable Path getRoot() {
        return isAbsolute() ? with("/") : null;
    }

    @Override
    public @Nullable Path getFileName() {
        return text.equals("/") ? null : with(text.substring(text.lastIndexOf('/') + 1));
    }

    @Override
    public @Nullable Path getParent() {
        int last = text.lastIndexOf('/');
        if (last < 0 || text.equals("/")) {
            return null;
        }
        return with(last == 0 ? "/" : text.substring(0, last));
    }

    @Override
    public int getNameCount() {
        return parts().size();
    }

    @Override
    public Path getName(int index) {
        return with(parts().get(index));
    }

    @Override
    public Path subpath(int from, int to) {
        return with(String.join("/", parts().subList(from, to)));
    }

    @Override
    public boolean startsWith(Path other) {
        return (text + "/").startsWith(other + "/");
    }

    @Override
    public boolean endsWith(Path other) {
        return ("/" + text).endsWith("/" + other);
    }

    @Override
    public Path normalize() {
        return with((isAbsolute() ? "/" : "") + String.join("/", names()));
    }

    @Override
    public Path resolve(Path other) {
        if (other.isAbsolute() || other.toString().isEmpty()) {
            return other.isAbsolute() ? other : this;
        }
        return with(text.equals("/") ? "/" + other : text + "/" + other);
    }

    @Override
    public Path relativize(Path other) {
        return with(other.toString().substring(text.length() + 1));
    }

    @Override
    public URI toUri() {
        return URI.create("simulated:" + text);
    }

    /** A file that does not exist: only the log asks for one. */
    @Override
    public File toFile() {
        return new File("/simulated-disk" + text);
    }

    @Override
    public Path toAbsolutePath() {
        return isAbsolute() ? this : with("/" + text);
    }

    @Override
    public Path toRealPath(LinkOption... options) {
        return toAbsolutePath().normalize();
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException("register");
    }

    @Override
    public int compareTo(Path other) {
        return text.compareTo(other.toString());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DiskPath path && path.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
