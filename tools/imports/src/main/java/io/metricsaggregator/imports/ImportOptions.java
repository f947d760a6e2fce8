package io.metricsaggregator.imports;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an import.
 *
 * @param part number of the part to import, from 1; 0 for all parts, each as a run; −1 if none was chosen
 * @param warmup what happens to warm-up requests
 * @param end which end of a request counts
 * @param keepTexts whether prompts and answers are written to the journal
 * @param inputs file of prompts that belongs to the results; null for none
 * @param formatOptions options of single formats, by their name on the command line without dashes
 */
public record ImportOptions(
        int part,
        Warmup warmup,
        End end,
        boolean keepTexts,
        @Nullable Path inputs,
        Map<String, String> formatOptions) {
    /** No part was chosen. */
    public static final int ANY_PART = -1;
    /** Name of the option for the tool's own figures. */
    public static final String SUMMARY = "summary";
    /** All parts are wanted. */
    public static final int ALL_PARTS = 0;

    /** Defaults of the command. */
    public static final ImportOptions DEFAULT =
            new ImportOptions(ANY_PART, Warmup.UNTRACKED, End.HEADLINE, true, null, Map.of());

    /** What happens to requests that the tool leaves out of its figures as warm-up. */
    public enum Warmup {
        /** They are in the run, but in no series. */
        UNTRACKED,
        /** They are left out and counted. */
        DROP,
        /** They are treated as any other request. */
        KEEP
    }

    /** Which end of a request counts where a file has two. */
    public enum End {
        /** The end of the tool's own latency. */
        HEADLINE,
        /** The end of the response stream. */
        STREAM
    }

    public ImportOptions {
        formatOptions = Map.copyOf(formatOptions);
    }

    /** The options with another choice of part. */
    public ImportOptions withPart(int number) {
        return new ImportOptions(number, warmup, end, keepTexts, inputs, formatOptions);
    }

    /** Whether only the tool's own figures are wanted, also of a file that holds requests. */
    public boolean summary() {
        return formatOptions.containsKey(SUMMARY);
    }

    /** The value of a format's own option; null if it was not given. */
    public @Nullable String formatOption(String name) {
        return formatOptions.get(name);
    }
}
