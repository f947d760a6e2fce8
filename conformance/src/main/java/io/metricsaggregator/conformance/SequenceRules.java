package io.metricsaggregator.conformance;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Judges sequence numbers, sources and lives, and counts the records that gaps report as lost. One owner at a time. */
final class SequenceRules {
    private static final int SOURCES_MAX = 10_000;

    private static final class Source {
        private long next;
        private long received;
    }

    private final Tally tally;
    private final boolean gapsAllowed;
    private final boolean startUnknown;
    private final Map<String, Source> sources = new HashMap<>();
    private long gaps;
    private long unnumbered;

    /**
     * Creates rules.
     *
     * @param gapsAllowed whether records may be missing
     * @param startUnknown whether the first numbers may be missing, because the subscription began later
     */
    SequenceRules(Tally tally, boolean gapsAllowed, boolean startUnknown) {
        this.tally = tally;
        this.gapsAllowed = gapsAllowed;
        this.startUnknown = startUnknown;
    }

    void record(SeenRecord record) {
        String name = source(record);
        Long life = record.integer("life");
        tally.judge(
                Rule.SOURCE,
                !name.isEmpty() && life != null,
                () -> record.where() + " has no " + (name.isEmpty() ? "source_id or worker_id" : "life"));
        Long number = record.integer("seq");
        if (number == null) {
            unnumbered++;
            tally.breach(Rule.SEQ, record.where() + " has no seq");
            return;
        }
        String key = name + "\n" + life;
        if (!sources.containsKey(key) && sources.size() >= SOURCES_MAX) {
            return;
        }
        Source source = sources.computeIfAbsent(key, any -> {
            Source created = new Source();
            created.next = startUnknown ? number : 0;
            return created;
        });
        long expected = source.next;
        if (number > expected) {
            gaps += number - expected;
        }
        tally.judge(
                Rule.SEQ,
                number == expected || gapsAllowed && number > expected,
                () -> record.where() + " has seq " + number + " instead of " + expected + " of source '" + name
                        + "', life " + life);
        source.next = Math.max(expected, number + 1);
        source.received++;
    }

    private static String source(SeenRecord record) {
        String text = record.text("source_id");
        Long worker = record.integer("worker_id");
        return !text.isEmpty() ? text : worker == null ? "" : "worker " + worker;
    }

    /** Number of records that gaps report as lost. */
    long gaps() {
        return gaps;
    }

    /** Whether every record has a sequence number. */
    boolean isComplete() {
        return unnumbered == 0 && !sources.isEmpty();
    }

    /** Judges that no source of this start has the name and life of one of an earlier start, and adds those of this start. */
    void compareWith(Set<String> earlier) {
        for (String key : sources.keySet()) {
            tally.judge(
                    Rule.LIFE_UNIQUE,
                    earlier.add(key),
                    () -> "source '" + key.replace("\n", "', life ") + " was used by an earlier start of the command");
        }
    }
}
