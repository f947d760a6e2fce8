package io.metricsaggregator.imports;

import java.io.IOException;

/** Reads the files of one import, in the order of the command line. One thread. */
public interface FormatReader {
    /**
     * Reads one file and hands what it holds to the sink: the kind first, then parts and requests.
     *
     * @throws IOException if the file cannot be read; a damaged record is skipped through {@link ImportSink#skipped} instead
     */
    void read(ImportSource source, ImportSink sink) throws IOException;

    /** Called after the last file, for formats that join several files. */
    default void finish(ImportSink sink) throws IOException {}
}
