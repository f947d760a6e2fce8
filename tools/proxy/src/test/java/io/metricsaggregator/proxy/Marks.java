package io.metricsaggregator.proxy;

import java.nio.charset.StandardCharsets;

/** What a framing says of a stream of bytes, as text. */
final class Marks implements Framing.Handler {
    private final StringBuilder marks = new StringBuilder();
    private final StringBuilder content = new StringBuilder();
    private final boolean answers;
    private long length;

    private Marks(boolean answers) {
        this.answers = answers;
    }

    /** Pieces in which bytes are fed. */
    interface Pieces {
        int next(int left);
    }

    /** Follows bytes of requests or of answers, to whose requests nothing special applies. */
    static String of(byte[] bytes, boolean answers, Pieces pieces) {
        Marks marks = new Marks(answers);
        Framing framing = new Framing(marks, answers ? Framing.HEAD_MAX_BYTES : RequestHead.LINE_MAX_BYTES);
        try {
            for (int at = 0; at < bytes.length; ) {
                int end = at + pieces.next(bytes.length - at);
                while (at < end) {
                    at = framing.feed(bytes, at, end);
                }
            }
            marks.flush();
            marks.marks.append(framing.end() ? " ended" : " cut");
        } catch (MalformedHttpException e) {
            marks.flush();
            marks.marks.append(" malformed ").append(e.status()).append(' ').append(e.reason());
        }
        return marks.marks.toString();
    }

    private void flush() {
        if (content.length() > 0) {
            marks.append(" content ")
                    .append(content.length())
                    .append(' ')
                    .append(content.toString().hashCode());
            content.setLength(0);
        }
    }

    @Override
    public Framing.Body head(MessageHead head) throws MalformedHttpException {
        flush();
        marks.append(" head ").append(head.startLine());
        if (!answers) {
            RequestHead request = new RequestHead(head);
            length = request.length();
            return request.body();
        }
        length = 0;
        if (head.startLine().matches("HTTP/1.1 (1..|204|304).*")) {
            return Framing.Body.LENGTH;
        }
        if (head.count("transfer-encoding") > 0) {
            return Framing.Body.CHUNKED;
        }
        length = head.contentLength();
        return length < 0 ? Framing.Body.UNTIL_CLOSE : Framing.Body.LENGTH;
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
}
