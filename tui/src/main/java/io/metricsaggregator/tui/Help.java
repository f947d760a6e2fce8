package io.metricsaggregator.tui;

import java.util.List;
import java.util.stream.Stream;

/** Renders the help: keys and marks. */
final class Help {
    private Help() {}

    static List<Line> lines() {
        return Stream.concat(
                        Stream.of(new Line().add(" keys", Style.TITLE)),
                        Stream.of(
                                        "1 overview  2 latency  3 throughput  4 or e errors  5 workers  6 servers, nodes, own metrics  7 raw  8 daemon; tab",
                                        "w   window of `now`: 10, 60, 1 s",
                                        "m   metric of the close-up and the heat map",
                                        "p   hold the screen; the run continues. Again: back to now",
                                        "left, right   hold, and step through earlier snapshots",
                                        "up, down, page up, page down   scroll",
                                        "b   differences to the baseline on and off (watch --baseline)",
                                        "s   save the screen as text in the working directory",
                                        "q   leave; the run is not affected",
                                        "",
                                        "≈ or ~   from a histogram, within its precision; no mark: from the values themselves",
                                        "?        not certain yet: too few values for a bound with 99 % confidence",
                                        "STALE    no snapshot for ten intervals: the daemon or the connection is down",
                                        "lost     numbered records that never arrived, by worker",
                                        "(sched)  from the scheduled time of the sample: includes the client's queueing",
                                        "now      within the window; run: since the first tracked sample")
                                .map(text -> new Line().add("   " + text)))
                .toList();
    }
}
