package io.metricsaggregator.simulation.life.plan;

import io.metricsaggregator.simulation.machine.Fault;
import java.util.ArrayList;
import java.util.List;

/**
 * A plan as text: a line of settings, and a line for each fault. Lives that once violated an invariant are kept in this form, because a seed
 * draws another life as soon as the drawing changes.
 */
public final class PlanText {
    private PlanText() {}

    /** Formats a plan. */
    public static String format(LifePlan plan) {
        StringBuilder text = new StringBuilder(String.format(
                "life seed=%d samples=%d sync_nanos=%d segment_bytes=%d switch_one_in=%d new_folders=%b runs=%d stays=%b fleet=%d subscribed=%b wired=%b heavy=%b packed=%b counters=%d text_bytes=%d values_bytes=%d%n",
                plan.seed(),
                plan.samples(),
                plan.daemon().syncNanos(),
                plan.daemon().segmentBytes(),
                plan.switchOneIn(),
                plan.newFolders(),
                plan.runs(),
                plan.daemon().stays(),
                plan.fleet(),
                plan.subscribed(),
                plan.wired(),
                plan.heavy(),
                plan.daemon().packed(),
                plan.daemon().counters(),
                plan.daemon().textBytes(),
                plan.daemon().valuesBytes()));
        for (Fault each : plan.faults()) {
            text.append(String.format(
                    "%s process=%d nth=%d nanos=%d label=%s%n",
                    each.kind(), each.process(), each.nth(), each.nanos(), each.label()));
        }
        return text.toString();
    }

    /**
     * Parses plans; lines that start with {@code #} are comments.
     *
     * @throws IllegalArgumentException naming the line that is no plan
     */
    public static List<LifePlan> parse(List<String> lines) {
        List<LifePlan> plans = new ArrayList<>();
        for (String line : lines) {
            try {
                if (line.startsWith("life ")) {
                    plans.add(settings(line));
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    LifePlan last = plans.remove(plans.size() - 1);
                    List<Fault> faults = new ArrayList<>(last.faults());
                    faults.add(fault(line));
                    plans.add(last.withFaults(faults));
                }
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new IllegalArgumentException("not a line of a life: " + line, e);
            }
        }
        return plans;
    }

    private static LifePlan settings(String line) {
        DaemonSettings daemon = new DaemonSettings(
                number(line, "sync_nanos"),
                number(line, "segment_bytes"),
                !line.contains(" packed=false"),
                line.contains(" stays=true"),
                line.contains(" counters=") ? (int) number(line, "counters") : -1,
                line.contains(" text_bytes=") ? number(line, "text_bytes") : 1,
                line.contains(" values_bytes=") ? number(line, "values_bytes") : -1);
        return new LifePlan(
                number(line, "seed"),
                (int) number(line, "samples"),
                daemon,
                (int) number(line, "switch_one_in"),
                Boolean.parseBoolean(value(line, "new_folders")),
                line.contains(" runs=") ? (int) number(line, "runs") : 1,
                line.contains(" fleet=") ? (int) number(line, "fleet") : 0,
                line.contains(" subscribed=true"),
                line.contains(" wired=true"),
                line.contains(" heavy=true"),
                List.of());
    }

    private static Fault fault(String line) {
        int label = line.indexOf(" label=");
        return new Fault(
                Fault.Kind.valueOf(line.substring(0, line.indexOf(' '))),
                (int) number(line, "process"),
                line.substring(label + " label=".length()),
                (int) number(line, "nth"),
                number(line, "nanos"));
    }

    private static long number(String line, String name) {
        return Long.parseLong(value(line, name));
    }

    private static String value(String line, String name) {
        int start = line.indexOf(" " + name + "=") + name.length() + 2;
        int end = line.indexOf(' ', start);
        return line.substring(start, end < 0 ? line.length() : end);
    }
}
