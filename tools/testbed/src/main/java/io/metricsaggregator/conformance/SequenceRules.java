package io.metricsaggregator.conformance;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges sequence numbers, sources and lives, and counts the records that gaps report as lost. One owner at a time. */
final class SequenceRules {
    private static final int SOURCES_MAX = 10_000;

    private static final class Source {
        private long next;
    }

    private final Tally tally;
    private final boolean gapsAllowed;
    private final boolean startUnknown;
    private final Map<String, Source> sources = new HashMap<>();
    private String lastName = "";
    private @Nullable Long lastLife;
    private @Nullable Source lastSource;
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
        Source source = source(name, life, number);
        if (source == null) {
            return;
        }
        long expected = source.next;
        if (number > expected) {
            gaps += number - expected;
        }
        tally.judge(
                Rule.SEQ,
                number == expected || (gapsAllowed && number > expected),
                () -> record.where() + " has seq " + number + " instead of " + expected + " of source '" + name
                        + "', life " + life);
        source.next = Math.max(expected, number + 1);
    }

    /** The source of a name and life; null if there are too many. Most records are of the source of the record before. */
    private @Nullable Source source(String name, @Nullable Long life, long number) {
        if (lastSource != null && name.equals(lastName) && Objects.equals(life, lastLife)) {
            return lastSource;
        }
        String key = name + "\n" + life;
        Source source = sources.get(key);
        if (source == null && sources.size() < SOURCES_MAX) {
            source = new Source();
            source.next = startUnknown ? number : 0;
            sources.put(key, source);
        }
        lastName = name;
        lastLife = life;
        lastSource = source;
        return source;
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
