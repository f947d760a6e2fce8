package io.metricsaggregator.dist;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Moves native code out of the jars of a folder: into {@code native/ARCHITECTURE/} for Linux on the architectures of the distribution,
 * and away for every other platform. A program started from there unpacks nothing into temporary files, and 25 MB of other platforms'
 * code are not shipped. Equal input gives equal bytes, whatever the time zone.
 */
final class NativeLibraries {
    /** Where the libraries keep their code for Linux with glibc, by the name that {@code uname -m} prints. */
    private static final Map<String, List<String>> KEPT = Map.of(
            "x86_64",
            List.of(
                    "native/lib/linux-x86_64/cpu/libtokenizers.so",
                    "org/sqlite/native/Linux/x86_64/libsqlitejdbc.so",
                    "org/jline/nativ/Linux/x86_64/libjlinenative.so"),
            "aarch64",
            List.of(
                    "native/lib/linux-aarch64/cpu/libtokenizers.so",
                    "org/sqlite/native/Linux/aarch64/libsqlitejdbc.so",
                    "org/jline/nativ/Linux/arm64/libjlinenative.so"));

    private static final String NATIVE = ".*\\.(so|dll|dylib|jnilib|a)";

    private NativeLibraries() {}

    /** Takes the folder of the jars, then the architectures to keep. */
    public static void main(String[] arguments) throws IOException {
        Path lib = Path.of(arguments[0]);
        List<String> architectures = List.of(arguments).subList(1, arguments.length);
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, "*.jar")) {
            for (Path jar : jars) {
                if (hasNativeCode(jar)) {
                    strip(jar, lib.resolve("native"), architectures);
                }
            }
        }
        for (String architecture : architectures) {
            for (String entry : KEPT.get(architecture)) {
                Path file = place(lib.resolve("native"), architecture, entry);
                if (!Files.isRegularFile(file)) {
                    throw new IOException("no jar in " + lib + " has " + entry
                            + ": a new version keeps its native code elsewhere; correct the list");
                }
            }
        }
    }

    private static boolean hasNativeCode(Path jar) throws IOException {
        try (ZipInputStream in = open(jar)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (entry.getName().matches(NATIVE)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static ZipInputStream open(Path jar) throws IOException {
        return new ZipInputStream(new BufferedInputStream(Files.newInputStream(jar)));
    }

    private static void strip(Path jar, Path natives, List<String> architectures) throws IOException {
        Path stripped = jar.resolveSibling(jar.getFileName() + ".stripped");
        try (ZipInputStream in = open(jar);
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(stripped))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (entry.getName().matches(NATIVE)) {
                    keep(in, entry.getName(), natives, architectures);
                } else {
                    ZipEntry copy = new ZipEntry(entry.getName());
                    copy.setTimeLocal(entry.getTimeLocal());
                    out.putNextEntry(copy);
                    in.transferTo(out);
                    out.closeEntry();
                }
            }
        }
        Files.move(stripped, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void keep(InputStream in, String entry, Path natives, List<String> architectures)
            throws IOException {
        for (String architecture : architectures) {
            if (KEPT.get(architecture).contains(entry)) {
                Path file = place(natives, architecture, entry);
                Files.createDirectories(file.getParent());
                Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static Path place(Path natives, String architecture, String entry) {
        return natives.resolve(architecture).resolve(entry.substring(entry.lastIndexOf('/') + 1));
    }
}
