package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.List;

/**
 * Rates over a sliding window.
 *
 * @param windowSeconds nominal length of the window: 1, 10 or 60
 * @param coveredSeconds actual length: shorter at the start of a run, up to a tick longer later
 * @param recordsPerSecond records received
 * @param issuedPerSecond samples issued
 * @param completedPerSecond samples completed
 * @param failedPerSecond error events
 * @param bytesPerSecond bytes received
 * @param goodPerSecond good samples; 0 without objectives
 */
public record Rate(
        int windowSeconds,
        double coveredSeconds,
        double recordsPerSecond,
        double issuedPerSecond,
        double completedPerSecond,
        double failedPerSecond,
        double bytesPerSecond,
        double goodPerSecond) {
    private static final int NO_NUMBER = Integer.MIN_VALUE;

    /** Rates by their windows. */
    public static List<Rate> pass(Fields f, List<Rate> rates) throws MalformedMessageException {
        return f.entries(rates, each -> Integer.toString(each.windowSeconds()), Rate::named, Rate::pass);
    }

    private static Rate named(String window) {
        int seconds;
        try {
            seconds = Integer.parseInt(window);
        } catch (NumberFormatException e) {
            seconds = NO_NUMBER;
        }
        return new Rate(seconds, 0, 0, 0, 0, 0, 0, 0);
    }

    private static Rate pass(Fields f, Rate v) throws MalformedMessageException {
        if (v.windowSeconds() == NO_NUMBER) {
            throw new MalformedMessageException("rates has a window that is not a number of seconds");
        }
        double covered = f.real("covered_s", v.coveredSeconds());
        double records = f.real("records_per_s", v.recordsPerSecond());
        double issued = f.real("issued_per_s", v.issuedPerSecond());
        double completed = f.real("completed_per_s", v.completedPerSecond());
        double failed = f.real("failed_per_s", v.failedPerSecond());
        double bytes = f.real("bytes_per_s", v.bytesPerSecond());
        Double good = f.maybeReal("good_per_s", v.goodPerSecond());
        return new Rate(v.windowSeconds(), covered, records, issued, completed, failed, bytes, good == null ? 0 : good);
    }
}
