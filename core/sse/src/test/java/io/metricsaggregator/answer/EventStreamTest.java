package io.metricsaggregator.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    private final List<ServerSentEvent> events = new ArrayList<>();
    private final List<Long> feeds = new ArrayList<>();
    private final EventStream decoder = stream(EventStream.EVENT_BYTES_MAX);

    private EventStream stream(int eventBytesMax) {
        return new EventStream(
                (event, feed) -> {
                    events.add(event);
                    feeds.add(feed);
                },
                eventBytesMax);
    }

    private static ServerSentEvent data(String data) {
        return new ServerSentEvent("", data, null);
    }

    @Test
    void data_lines_are_joined_by_line_feeds_and_one_space_after_the_colon_is_skipped() {
        decoder.feed("data: a\ndata:b\ndata:  c\ndata\n\n");
        assertThat(events).containsExactly(data("a\nb\n c\n"));
    }

    private static final List<ServerSentEvent> EVENTS = List.of(
            data("first"),
            new ServerSentEvent("delta", "one\ntwo", null),
            data(""),
            data("gr\u00fc\u00dfe\u2028\u0085"),
            new ServerSentEvent("error", null, "died"),
            new ServerSentEvent("", "end", "a\nb"));

    private static byte[] bytes() {
        String text =
                "\ufeffdata: first\n\n: one\n\nevent: delta\ndata: one\r\ndata:two\r\n\r\nid: 7\rdata\r\rretry: 5\nunknown: x\n\n"
                        + "data: gr\u00fc\u00dfe\u2028\u0085\n\nevent: error\n: died\n\n: a\n: b\ndata: end\n\n\r\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void a_stream_cut_at_any_byte_gives_the_same_events() {
        byte[] stream = bytes();
        for (int cut = 0; cut <= stream.length; cut++) {
            events.clear();
            EventStream two = stream(EventStream.EVENT_BYTES_MAX);
            two.feed(stream, 0, cut);
            two.feed(stream, cut, stream.length - cut);
            assertThat(events).as("cut at %d", cut).isEqualTo(EVENTS);
            assertThat(two.isPending()).isFalse();
        }
    }

    @Test
    void a_stream_cut_at_random_places_gives_the_same_events() {
        byte[] stream = bytes();
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("EventStreamTest seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        ByteBuffer direct = ByteBuffer.allocateDirect(64);
        for (int round = 0; round < 500; round++) {
            events.clear();
            EventStream cut = stream(EventStream.EVENT_BYTES_MAX);
            for (int at = 0; at < stream.length; ) {
                int length =
                        Math.min(stream.length - at, List.of(0, 1, 2, 5, 40).get(random.nextInt(5)));
                switch (random.nextInt(3)) {
                    case 0 -> cut.feed(stream, at, length);
                    case 1 -> cut.feed(ByteBuffer.wrap(stream, at, length));
                    default -> cut.feed(direct.clear().put(stream, at, length).flip());
                }
                at += length;
            }
            assertThat(events).isEqualTo(EVENTS);
            assertThat(cut.isPending()).isFalse();
        }
    }

    @Test
    void an_event_names_the_feed_that_completed_it() {
        decoder.feed("data: a\n\ndata: b\n\nda");
        decoder.feed("ta: c\r\n\r");
        decoder.feed("\ndata: d");
        decoder.end();
        assertThat(feeds).containsExactly(1L, 1L, 2L, 3L);
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
    void an_event_above_the_limit_is_skipped_and_counted_and_the_next_one_is_whole() {
        byte[] piece = "x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        decoder.feed("event: large\ndata: ");
        for (int i = 0; i < 17; i++) {
            decoder.feed(piece, 0, piece.length);
        }
        assertThat(decoder.isPending()).isTrue();
        decoder.feed("\ndata: more\n\ndata: next\n\n");
        assertThat(events).containsExactly(data("next"));
        assertThat(decoder.skipped()).isOne();
    }

    @Test
    void the_limit_holds_for_lines_in_sum_and_an_event_of_that_size_is_read() {
        EventStream small = stream(10);
        small.feed("data: 1234\n\ndata:1\ndata:23\n\ndata: 12345\n\ndata:1\ndata:234567\n\ndata:1\n\n");
        assertThat(events).containsExactly(data("1234"), data("1\n23"), data("1"));
        assertThat(small.skipped()).isEqualTo(2);
    }

    @Test
    void comments_between_events_do_not_add_up_to_the_limit() {
        EventStream small = stream(100);
        for (int i = 0; i < 2000; i++) {
            small.feed(": still here\n");
        }
        small.feed("data: a\n\n");
        assertThat(events).hasSize(1);
        assertThat(events.get(0).data()).isEqualTo("a");
        assertThat(events.get(0).comment()).hasSizeLessThan(5000);
        assertThat(small.skipped()).isZero();
    }

    @Test
    void an_endless_line_takes_no_memory() {
        EventStream stream = new EventStream((event, feed) -> {});
        byte[] endless = "x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1024; i++) {
            stream.feed(endless, 0, endless.length);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4L << 20);
    }

    @Test
    void a_range_outside_the_array_is_refused() {
        assertThatThrownBy(() -> decoder.feed(new byte[3], 2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> stream(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
