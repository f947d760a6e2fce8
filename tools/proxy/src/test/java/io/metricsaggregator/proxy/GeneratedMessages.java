package io.metricsaggregator.proxy;

import java.util.Random;

/** Valid messages of HTTP/1.1, from a seed. */
final class GeneratedMessages {
    private final Random random;

    GeneratedMessages(long seed) {
        this.random = new Random(seed);
    }

    private String text(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            int kind = random.nextInt(12);
            text.append(kind == 0 ? '\n' : kind == 1 ? '\r' : kind == 2 ? '0' : (char) (1 + random.nextInt(255)));
        }
        return text.toString();
    }

    private String headers() {
        StringBuilder headers = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            headers.append("X-").append(random.nextInt(100)).append(random.nextBoolean() ? ": " : ":\t ");
            headers.append("v".repeat(random.nextInt(20))).append("\r\n");
        }
        return headers.toString();
    }

    private String chunked() {
        StringBuilder body = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            String chunk = text(1 + random.nextInt(60));
            String size = Integer.toHexString(chunk.length());
            body.append(random.nextBoolean() ? "0" + size : size.toUpperCase(java.util.Locale.ROOT));
            body.append(random.nextInt(4) == 0 ? " ;a=\"b; c\"" : "")
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        body.append("0\r\n");
        body.append(random.nextInt(4) == 0 ? "Trailer-" + random.nextInt(9) + ": t\r\n" : "");
        return body.append("\r\n").toString();
    }

    /** A request with a number in its headers. */
    String request(int number) {
        String start = "/p" + random.nextInt(1000) + " HTTP/1.1\r\nHost: x\r\nX-N: " + number + "\r\n" + headers();
        switch (random.nextInt(4)) {
            case 0 -> {
                return "GET " + start + "\r\n";
            }
            case 1 -> {
                return "HEAD " + start + "\r\n";
            }
            case 2 -> {
                String body = text(random.nextInt(200));
                return "POST " + start + "Content-Length: " + body.length() + "\r\n\r\n" + body;
            }
            default -> {
                return "POST " + start + "transfer-encoding: Chunked\r\n\r\n" + chunked();
            }
        }
    }

    /** An answer that ends by itself, to a request that is a {@code HEAD} or not. */
    String answer(boolean head) {
        String interim = random.nextInt(6) == 0 ? "HTTP/1.1 103 Early Hints\r\n" + headers() + "\r\n" : "";
        String start = interim + "HTTP/1.1 200" + (random.nextBoolean() ? " OK" : "") + "\r\n" + headers();
        switch (random.nextInt(5)) {
            case 0 -> {
                return interim + "HTTP/1.1 204 No Content\r\n" + headers() + "\r\n";
            }
            case 1 -> {
                return interim + "HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n" + headers() + "\r\n";
            }
            case 2 -> {
                String body = text(random.nextInt(2000));
                return start + "Content-Length: " + body.length() + "\r\n\r\n" + (head ? "" : body);
            }
            default -> {
                String type = random.nextBoolean() ? "Content-Type: text/event-stream\r\n" : "";
                return start + type + "Transfer-Encoding: chunked\r\n\r\n" + (head ? "" : chunked());
            }
        }
    }

    /** Bytes in which a few are changed, removed or doubled. */
    byte[] damaged(byte[] bytes) {
        byte[] damaged = bytes.clone();
        for (int i = 1 + random.nextInt(3); i > 0 && damaged.length > 0; i--) {
            int at = random.nextInt(damaged.length);
            int from = random.nextInt(damaged.length);
            switch (random.nextInt(3)) {
                case 0 -> damaged[at] = (byte) random.nextInt(256);
                case 1 -> damaged[at] = damaged[from];
                default -> damaged[at] = (byte) "\r\n 0:;".charAt(random.nextInt(6));
            }
        }
        return damaged;
    }

    int piece(int left) {
        return 1 + random.nextInt(Math.min(left, 1 + random.nextInt(300)));
    }

    boolean chance(int of) {
        return random.nextInt(of) == 0;
    }
}
