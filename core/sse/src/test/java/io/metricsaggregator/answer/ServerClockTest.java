package io.metricsaggregator.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The header {@code Server-Timing}; what bodies say is in answers.json. */
class ServerClockTest {
    private final ServerClock clock = new ServerClock();

    @Test
    void known_names_of_the_header_are_durations_in_milliseconds() {
        clock.header(
                "queue;dur=12.5, ttft;desc=\"a\";dur=\"85\", cache;desc=hit, decode-time;dur=1e3,kv_transfer ; dur = 2");
        assertThat(clock.times())
                .isEqualTo(ServerTimes.from(ServerTimes.Source.HEADER)
                        .with(ServerKey.QUEUE_NS, 12_500_000)
                        .with(ServerKey.TTFT_NS, 85_000_000)
                        .with(ServerKey.DECODE_NS, 1_000_000_000)
                        .with(ServerKey.KV_TRANSFER_NS, 2_000_000));
    }

    @Test
    void what_is_no_duration_is_passed_over() {
        clock.header(null);
        clock.header("");
        clock.header(";;,=;dur=,queue;dur=-1,ttft;dur=NaN,prefill;dur=Infinity,total;dur=1e300,decode;dur,queue;DUR=x");
        clock.header("queue;dur=1".repeat(1000));
        clock.header("x;dur=1,".repeat(64) + "queue;dur=1");
        assertThat(clock.times()).isNull();
    }

    @Test
    void the_body_wins_over_the_header() {
        clock.header("queue;dur=1, total;dur=9");
        clock.message(Map.of("metrics", Map.of("queue_time_ms", 2L)));
        assertThat(clock.times())
                .isEqualTo(ServerTimes.from(ServerTimes.Source.BODY)
                        .with(ServerKey.QUEUE_NS, 2_000_000)
                        .with(ServerKey.E2E_NS, 9_000_000));
    }
}
