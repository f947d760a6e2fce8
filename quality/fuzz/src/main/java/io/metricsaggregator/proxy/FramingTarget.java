package io.metricsaggregator.proxy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/**
 * Follows bytes as requests or as answers of HTTP, as the first byte chooses, whole, byte by byte, and in pieces: the marks must not depend on the
 * pieces, and a request that is accepted has one head with one framing. The rest is also inflated as gzip, which must end or refuse.
 */
public final class FramingTarget {
    private static final int INFLATED_MAX_BYTES = 1 << 20;

    private FramingTarget() {}

    /** What a framing said of a stream. */
    private static final class Marks implements Framing.Handler {
        private final StringBuilder marks = new StringBuilder();
        private final StringBuilder content = new StringBuilder();
        private final boolean answers;
        private long length;

        Marks(boolean answers) {
            this.answers = answers;
        }

        @Override
        public Framing.Body head(MessageHead head) throws MalformedHttpException {
            flush();
            marks.append(" head ").append(head.startLine());
            length = 0;
            if (!answers) {
                RequestHead request = new RequestHead(head);
                length = request.length();
                byte[] forwarded = request.forwarded("upstream:1", null);
                if (count(forwarded, "host:") > 1 || count(forwarded, "content-length:") > 1) {
                    throw new IllegalStateException("a request is passed on that two readers could read differently");
                }
                return request.body();
            }
            if (head.count("transfer-encoding") > 0) {
                return Framing.Body.CHUNKED;
            }
            length = head.contentLength();
            return length < 0 ? Framing.Body.UNTIL_CLOSE : Framing.Body.LENGTH;
        }

        private static int count(byte[] head, String start) {
            return (int) new String(head, StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line -> line.regionMatches(true, 0, start, 0, start.length()))
                    .count();
        }

        @Override
        public long length() {
            return Math.max(0, length);
        }

        @Override
        public void content(byte[] bytes, int from, int count) {
            content.append(new String(bytes, from, count, StandardCharsets.ISO_8859_1));
        }

        @Override
        public void end() {
            flush();
            marks.append(" end");
        }

        void flush() {
            if (content.length() > 0) {
                marks.append(" content ").append(content);
                content.setLength(0);
            }
        }
    }

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
        boolean answers = (input[0] & 1) == 1;
        String whole = marks(bytes, answers, null, bytes.length);
        String single = marks(bytes, answers, null, 1);
        String pieces = marks(bytes, answers, new Random(input[0]), 64);
        if (!whole.equals(single) || !whole.equals(pieces)) {
            throw new IllegalStateException("the marks depend on the pieces in which the bytes came");
        }
        try (GzipStream gzip = new GzipStream(INFLATED_MAX_BYTES, (inflated, from, count) -> {})) {
            gzip.feed(bytes, 0, bytes.length);
        } catch (DataFormatException e) {
            // Most inputs are not gzip.
        }
    }

    private static String marks(byte[] bytes, boolean answers, @Nullable Random random, int piece) {
        Marks marks = new Marks(answers);
        Framing framing = new Framing(marks, answers ? Framing.HEAD_MAX_BYTES : RequestHead.LINE_MAX_BYTES);
        try {
            for (int at = 0; at < bytes.length; ) {
                int end = at + Math.min(bytes.length - at, random == null ? piece : 1 + random.nextInt(piece));
                while (at < end) {
                    int next = framing.feed(bytes, at, end);
                    if (next <= at) {
                        throw new IllegalStateException("no progress at " + at);
                    }
                    at = next;
                }
            }
            marks.flush();
            return marks.marks.append(framing.end() ? " ended" : " cut").toString();
        } catch (MalformedHttpException e) {
            marks.flush();
            return marks.marks
                    .append(" malformed ")
                    .append(e.status())
                    .append(e.reason())
                    .toString();
        }
    }
}
