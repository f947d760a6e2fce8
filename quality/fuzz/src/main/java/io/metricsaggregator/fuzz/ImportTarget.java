package io.metricsaggregator.fuzz;

import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.journal.ImportedPart;
import io.metricsaggregator.imports.journal.Importer;
import io.metricsaggregator.imports.journal.RunFolder;
import io.metricsaggregator.snapshot.figures.Imported;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Imports a file by the format that recognises it, or by one that its first byte chooses: it is read to the end, and the description of the
 * import survives JSON. A file that a format refuses ends in an IOException; nothing else may be thrown.
 */
public final class ImportTarget {
    private static final Path SCRATCH = scratch();

    private ImportTarget() {}

    private static Path scratch() {
        try {
            return Files.createTempDirectory("fuzz-import-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        if (input.length == 0) {
            return;
        }
        ImportOptions options = ImportOptions.DEFAULT.withPart(ImportOptions.ALL_PARTS);
        try (ImportSource source = ImportSource.of("input", new ByteArrayInputStream(input))) {
            ImportFormat recognised = Formats.recognising(source.head());
            ImportFormat format =
                    recognised != null ? recognised : Formats.ALL.get((input[0] & 0xff) % Formats.ALL.size());
            try (Importer importer = new Importer(format, options, SCRATCH, () -> {})) {
                importer.read(source);
                for (ImportedPart part : importer.finish()) {
                    RunFolder.startedWallNanos(part);
                    Imported imported = importer.describe(part);
                    byte[] json = imported.json();
                    Imported again = Imported.ofJson(json);
                    if (again.requests() != imported.requests()
                            || !again.skipped().equals(imported.skipped())) {
                        throw new IllegalStateException("the description of an import changed in JSON");
                    }
                }
            }
        } catch (IOException e) {
            if (e instanceof io.metricsaggregator.codec.MalformedMessageException) {
                throw new IllegalStateException("the description of an import is not JSON", e);
            }
            // A file may be refused as a whole.
        }
    }
}
