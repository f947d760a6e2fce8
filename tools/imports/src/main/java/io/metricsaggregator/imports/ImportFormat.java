package io.metricsaggregator.imports;

/** A file format of one tool. Stateless; what a single import needs is kept by its {@link FormatReader}. */
public interface ImportFormat {
    /** The name on the command line and in snapshots, such as {@code vllm}; also the prefix of generated sample ids. */
    String name();

    /** The tool that writes the format, as its makers write it. */
    String tool();

    /** Whether the start of a file shows this format. Formats may recognise the same file: the first in {@code Formats} wins. */
    boolean recognises(SourceHead head);

    /** Whether {@link ImportOptions#summary} takes the tool's figures from a file that holds requests, too. */
    default boolean summarisesRequests() {
        return false;
    }

    /** Opens a reader for one import. */
    FormatReader reader(ImportOptions options);
}
