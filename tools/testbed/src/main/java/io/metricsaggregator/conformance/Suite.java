package io.metricsaggregator.conformance;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The data of the kit: cases and vectors, from the class path or from a directory. From a jar they are unpacked into a temporary directory,
 * which {@link #close} deletes, since programs under test read some of them as files.
 */
public final class Suite implements Closeable {
    /** The version of the kit, which also stands in the file VERSION. */
    public static final String VERSION = "1";

    private static final String RESOURCES = "conformance-kit/";

    private final Path root;
    private final @Nullable Path temporary;

    private Suite(Path root, @Nullable Path temporary) {
        this.root = root;
        this.temporary = temporary;
    }

    /**
     * Opens the kit.
     *
     * @param directory a directory with the kit's data; null for the data of this program
     * @throws IOException if the directory is not a kit of this version
     */
    public static Suite open(@Nullable Path directory) throws IOException {
        Suite kit = directory == null ? fromClassPath() : new Suite(directory, null);
        Path version = kit.root.resolve("VERSION");
        if (!Files.exists(version)) {
            kit.close();
            throw new IOException(directory + " is not a conformance kit: it has no file VERSION");
        }
        String found = Files.readString(version, StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElse("");
        if (!found.equals("kit " + VERSION)) {
            kit.close();
            throw new IOException(version + " says '" + found + "'; this program reads 'kit " + VERSION + "'");
        }
        return kit;
    }

    private static Suite fromClassPath() throws IOException {
        URL version = Objects.requireNonNull(
                Suite.class.getClassLoader().getResource(RESOURCES + "VERSION"), "the kit in the class path");
        if (version.openConnection() instanceof JarURLConnection connection) {
            connection.setUseCaches(false);
            Path temporary = Files.createTempDirectory("ma-kit-");
            try (JarFile jar = connection.getJarFile()) {
                unpack(jar, temporary);
            }
            return new Suite(temporary, temporary);
        }
        try {
            return new Suite(
                    Objects.requireNonNull(Path.of(new URI(version.toString())).getParent()), null);
        } catch (URISyntaxException e) {
            throw new IOException(version + " is not a file", e);
        }
    }

    private static void unpack(JarFile jar, Path to) throws IOException {
        for (JarEntry entry : jar.stream().toList()) {
            if (!entry.getName().startsWith(RESOURCES) || entry.isDirectory()) {
                continue;
            }
            Path file =
                    to.resolve(entry.getName().substring(RESOURCES.length())).normalize();
            if (!file.startsWith(to)) {
                throw new IOException(jar.getName() + " has the entry " + entry.getName());
            }
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            try (InputStream in = jar.getInputStream(entry)) {
                Files.copy(in, file);
            }
        }
    }

    /** A file or directory of the kit, such as {@code vectors/records.json}. */
    public Path file(String name) {
        return root.resolve(name);
    }

    /** The producer cases whose names match, in order. */
    List<Path> producerCases(String glob) throws IOException {
        return cases("producer", ".json", glob);
    }

    /** The subscriber cases whose names match, in order: directories. */
    List<Path> subscriberCases(String glob) throws IOException {
        return cases("subscriber", "", glob);
    }

    /** The streams whose names match, in order: directories with frames and the expected snapshot. */
    List<Path> streams(String glob) throws IOException {
        return cases("streams", "", glob).stream()
                .filter(each -> Files.exists(each.resolve("frames.bin")))
                .toList();
    }

    private List<Path> cases(String folder, String suffix, String glob) throws IOException {
        Glob names = new Glob(glob);
        try (Stream<Path> files = Files.list(root.resolve(folder))) {
            return files.filter(each -> {
                        String name = String.valueOf(each.getFileName());
                        return name.endsWith(suffix)
                                && (suffix.isEmpty() == Files.isDirectory(each))
                                && names.matches(name.substring(0, name.length() - suffix.length()));
                    })
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        if (temporary == null) {
            return;
        }
        List<Path> all;
        try (Stream<Path> files = Files.walk(temporary)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
