package io.metricsaggregator.tui;

import java.util.List;
import java.util.stream.Stream;

/** What the keys do, and what the marks mean. */
final class Help {
    private Help() {}

    static List<Line> lines() {
        return Stream.concat(
                        Stream.of(new Line().add(" keys", Style.TITLE)),
                        Stream.of(
                                        "1 overview  2 latency  3 throughput  4 or e errors  5 workers  6 servers, nodes, own metrics  7 raw  8 daemon; tab",
                                        "w   window of `now`: 10, 60, 1 s",
                                        "m   metric of the close-up and the heat map",
                                        "p   hold what is shown; the run goes on. Again: back to now",
                                        "left, right   hold, and go back and forth through what was seen",
                                        "up, down, page up, page down   scroll",
                                        "b   differences to the baseline on and off (watch --baseline)",
                                        "s   save the screen as text in the working directory",
                                        "q   leave; the run is not touched",
                                        "",
                                        "≈ or ~   from a histogram: right within its precision; no mark: of the values themselves",
                                        "?        the percentile is not certain yet: too few values for a bound with 99 % confidence",
                                        "STALE    nothing has come for ten ticks: the daemon is gone, or the way to it",
                                        "lost     numbered records that never came, by worker",
                                        "(sched)  from the time a sample was to be issued: with the client's own queueing",
                                        "now      what happened in the window; run: since the first tracked sample")
                                .map(text -> new Line().add("   " + text)))
                .toList();
    }
}
