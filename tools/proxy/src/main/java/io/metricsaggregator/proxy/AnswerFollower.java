package io.metricsaggregator.proxy;

import io.metricsaggregator.answer.AnswerReader;
import io.metricsaggregator.answer.AnswerUsage;
import io.metricsaggregator.answer.EventStream;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.Usage;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the content of one answer as it passes: the chunks of a stream at their times, or a whole JSON body at its end. A coding other than gzip, or
 * a body above a limit, leaves the times of chunks and the usage unknown. One owner.
 */
final class AnswerFollower {
    /** Bytes of a whole body that are read; of an answer with an error fewer. */
    private static final int BODY_MAX_BYTES = AnswerReader.MESSAGE_BYTES_MAX;

    private static final int ERROR_MAX_BYTES = 64 << 10;
    /** A longer id is none to a reader of records. */
    private static final int RESPONSE_ID_MAX_CHARS = 256;

    private static final long INFLATED_MAX_BYTES = 1L << 30;

    private final Sample sample;
    private final ProxyCounts counts;
    private final int status;
    private final String reasonPhrase;
    private final @Nullable KeptTexts texts;
    private final AnswerReader reader;
    private @Nullable EventStream events;
    private @Nullable HeldBody body;
    private @Nullable GzipStream gzip;
    private boolean ended;
    private long nowNanos;

    /** Starts at the content of an answer with this head. */
    AnswerFollower(Sample sample, Services services, int status, MessageHead head) {
        this.sample = sample;
        this.counts = services.counts();
        this.status = status;
        this.reasonPhrase = head.startLine().length() > 13 ? head.startLine().substring(13) : "";
        this.texts = services.settings().keepTexts() ? new KeptTexts() : null;
        this.reader = texts == null ? new AnswerReader() : new AnswerReader(texts);
        this.reader.server().header(head.value("server-timing"));
        String type = head.mediaType("content-type");
        String coding = head.mediaType("content-encoding");
        boolean streamed = type.equals("text/event-stream");
        boolean json = type.equals("application/json") || type.endsWith("+json");
        boolean readable = coding.isEmpty() || coding.equals("identity") || coding.equals("gzip");
        boolean recoded =
                head.count("transfer-encoding") > 0 && !"chunked".equalsIgnoreCase(head.value("transfer-encoding"));
        if (streamed && (!readable || recoded)) {
            counts.chunksUnknown.increment();
        } else if (readable && !recoded && streamed) {
            events = new EventStream((event, feed) -> {
                ChunkPart part = reader.event(event);
                if (part != null) {
                    sample.chunk(part, nowNanos);
                }
            });
        } else if (readable && !recoded && json) {
            body = new HeldBody(services.bodies(), status >= 400 ? ERROR_MAX_BYTES : BODY_MAX_BYTES);
        }
        gzip = coding.equals("gzip") && (events != null || body != null)
                ? new GzipStream(INFLATED_MAX_BYTES, this::plain)
                : null;
    }

    /**
     * Reads content.
     *
     * @param nanos when it was read from the upstream
     */
    void content(byte[] bytes, int from, int count, long nanos) {
        if (ended) {
            return;
        }
        nowNanos = nanos;
        if (gzip == null) {
            plain(bytes, from, count);
        } else {
            try {
                gzip.feed(bytes, from, count);
            } catch (DataFormatException e) {
                counts.chunksUnknown.increment();
                stopReading();
            }
        }
        if (reader.isDone()) {
            end(nanos);
        }
    }

    private void plain(byte[] bytes, int from, int count) {
        if (events != null) {
            events.feed(bytes, from, count);
        } else if (body != null) {
            body.add(bytes, from, count);
        }
    }

    private void stopReading() {
        close();
        events = null;
        body = null;
    }

    /** Ends the answer, and the sample with it, unless the answer has ended itself. */
    void end(long nanos) {
        if (ended) {
            return;
        }
        ended = true;
        nowNanos = nanos;
        if (events != null) {
            events.end();
            reader.addUnreadable(events.skipped());
        } else if (body != null) {
            byte[] json = body.take();
            if (json.length > 0) {
                reader.message(json, 0, json.length);
            }
        }
        boolean read = events != null || body != null;
        close();
        ErrorData error = reader.error();
        if (status >= 400) {
            boolean isReason = error != null && !error.errorType().equals(AnswerReader.UNREADABLE);
            sample.failed(nanos, "HTTP " + status, error != null && isReason ? error.errorMessage() : reasonPhrase);
        } else if (read && error != null) {
            sample.failed(nanos, error.errorType(), error.errorMessage());
        } else {
            sample.complete(
                    nanos,
                    texts == null ? null : texts.take(),
                    reader.finishReason(),
                    usage(),
                    reader.server().times(),
                    responseId());
        }
    }

    /** Frees what it holds; the sample stays as it is. */
    void close() {
        if (gzip != null) {
            gzip.close();
            gzip = null;
        }
        if (body != null) {
            body.take();
        }
    }

    private @Nullable String responseId() {
        String id = reader.id();
        return id == null || id.length() > RESPONSE_ID_MAX_CHARS ? null : id;
    }

    private @Nullable Usage usage() {
        AnswerUsage read = reader.usage();
        Usage usage = null;
        try {
            usage = read.counts().isEmpty() ? null : new Usage(read.counts(), false);
            return usage == null
                    ? null
                    : usage.withSpecHistogram(read.speculation().histogram());
        } catch (IllegalArgumentException e) {
            counts.usageRejected.increment();
            return usage;
        }
    }
}
