package io.metricsaggregator.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    private final List<ServerSentEvent> events = new ArrayList<>();
    private final EventStream decoder = new EventStream(events::add);

    private static ServerSentEvent data(String data) {
        return new ServerSentEvent("", data, null);
    }

    @Test
    void data_lines_are_joined_by_line_feeds_and_one_space_after_the_colon_is_skipped() {
        decoder.feed("data: a\ndata:b\ndata:  c\ndata\n\n");
        assertThat(events).containsExactly(data("a\nb\n c\n"));
    }

    @Test
    void events_do_not_depend_on_how_the_bytes_are_cut() {
        String text = ": one\n\nevent: delta\ndata: one\r\ndata:two\r\n\r\nid: 7\rdata\r\rretry: 5\nunknown: x\n\n"
                + "data: gr\u00fc\u00dfe\u2028\u0085\n\nevent: error\n: died\n\n: a\n: b\ndata: end\n\n\r\n";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf});
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        byte[] stream = bytes.toByteArray();
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<ServerSentEvent> seen = new ArrayList<>();
            EventStream cut = new EventStream(seen::add);
            for (int at = 0; at < stream.length; ) {
                int length =
                        Math.min(stream.length - at, List.of(0, 1, 2, 5, 40).get(random.nextInt(5)));
                cut.feed(stream, at, length);
                at += length;
            }
            assertThat(seen)
                    .containsExactly(
                            new ServerSentEvent("delta", "one\ntwo", null),
                            data(""),
                            data("gr\u00fc\u00dfe\u2028\u0085"),
                            new ServerSentEvent("error", null, "died"),
                            new ServerSentEvent("", "end", "a\nb"));
            assertThat(cut.isPending()).isFalse();
        }
    }

    @Test
    void the_last_event_needs_no_empty_line() {
        decoder.feed("data: a\n\ndata: b");
        assertThat(events).containsExactly(data("a"));
        assertThat(decoder.isWithinLine()).isTrue();
        decoder.end();
        assertThat(events).containsExactly(data("a"), data("b"));
        decoder.end();
        assertThat(events).hasSize(2);
    }

    @Test
    void an_event_without_end_is_cut_and_the_next_one_is_whole() {
        byte[] piece = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        decoder.feed("data: ");
        for (int i = 0; i < 17; i++) {
            decoder.feed(piece, 0, piece.length);
        }
        decoder.feed("\n\ndata: next\n\n");
        assertThat(events).hasSize(2);
        assertThat(events.get(0).data()).hasSize(EventStream.EVENT_BYTES_MAX - "data: ".length());
        assertThat(events.get(1)).isEqualTo(data("next"));
    }
}
