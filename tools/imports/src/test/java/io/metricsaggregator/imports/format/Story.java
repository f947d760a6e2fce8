package io.metricsaggregator.imports.format;

import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportedRequest;
import java.io.IOException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one request, as our series define them. The examples of the formats tell one story: content 200, 250 and 310 ms after the issue,
 * the end of the stream after 312 ms, a prompt of 12 tokens and an answer of 5.
 */
public record Story(
        @Nullable Long ttft,
        long[] chunkDeltas,
        @Nullable Long latency,
        @Nullable Long slip,
        @Nullable Long promptTokens,
        @Nullable Long completionTokens,
        @Nullable Double tpot) {
    public static Story of(ImportedRequest request) {
        int chunks = request.chunks();
        Long end = request.endNanos();
        Long due = request.scheduledNanos();
        Long tokens = request.usage() == null ? null : request.usage().completionTokens();
        return new Story(
                chunks == 0 ? null : request.chunkNanos(0) - request.issuedNanos(),
                IntStream.range(1, chunks)
                        .mapToLong(i -> request.chunkNanos(i) - request.chunkNanos(i - 1))
                        .toArray(),
                end == null ? null : end - request.issuedNanos(),
                due == null ? null : request.issuedNanos() - due,
                request.usage() == null ? null : request.usage().promptTokens(),
                tokens,
                chunks == 0 || end == null || tokens == null || tokens < 2
                        ? null
                        : (double) (end - request.chunkNanos(0)) / (tokens - 1));
    }

    /** Reads a text that holds one request. */
    public static Story of(ImportFormat format, String text) throws IOException {
        return of(CollectingSink.read(format, text).requests.get(0));
    }
}
