package io.metricsaggregator.parts;

import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tracked samples by the codes of their labels, in a part of some samples of a run, and the names behind the codes, in the part that has its session. Codes
 * are assigned by the head of the run, so they mean the same in all its parts. Immutable.
 *
 * @param names the keys in the order of their first sample, then the workers; empty in a part of samples
 * @param sums the sums by {@link #place}
 * @param judged whether the run has objectives
 */
public record LabelsPart(List<Names> names, Map<Integer, LabelSums> sums, boolean judged) {
    /** Labels of nothing. */
    public static final LabelsPart NONE = new LabelsPart(List.of(), Map.of(), false);
    /** Keys of a run at most; the workers are the key of this number. */
    public static final int KEYS_MAX = 8;
    /** Code of samples without a key. */
    public static final int CODE_NONE = 1;
    /** Code of samples whose value came after the bound. */
    public static final int CODE_OTHER = 2;
    /** Code of the first value of a key. */
    public static final int CODE_FIRST = 3;
    /** Codes of a key at most. */
    public static final int CODES_MAX = 64;

    private static final int TEXT_MAX_BYTES = 64 << 10;

    public LabelsPart {
        names = List.copyOf(names);
        sums = new TreeMap<>(sums);
    }

    /**
     * A key and its values.
     *
     * @param name the key
     * @param values that of {@link #CODE_FIRST} first
     */
    public record Names(String name, List<String> values) {
        public Names {
            values = List.copyOf(values);
        }
    }

    /** The place of a code of a key in {@link #sums}. */
    public static int place(int key, int code) {
        return key * CODES_MAX + code;
    }

    /** Whether any sample was counted by a key. */
    private boolean has(int k) {
        return sums.keySet().stream().anyMatch(each -> each / CODES_MAX == k);
    }

    /** All samples, each of which counts for one worker or for none; null without samples. */
    private @Nullable LabelSums total() {
        return sums.entrySet().stream()
                .filter(each -> each.getKey() / CODES_MAX == KEYS_MAX)
                .map(Map.Entry::getValue)
                .reduce(LabelSums::add)
                .orElse(null);
    }

    /** The samples without a key; null if all have it. */
    private @Nullable LabelSums none(int k) {
        return has(k) ? sums.get(place(k, CODE_NONE)) : total();
    }

    /** The sums of a value of a key; without the key all samples are without it, and null for any other value and those that no sample has. */
    @Nullable
    LabelSums of(String key, String value) {
        for (int i = 0; i < names.size(); i++) {
            boolean ofWorkers = i == names.size() - 1;
            Names each = names.get(i);
            if (each.name().equals(key) && (!ofWorkers || isDivided(each))) {
                int k = ofWorkers ? KEYS_MAX : i;
                int at = each.values().indexOf(value);
                if (at >= 0) {
                    return sums.get(place(k, CODE_FIRST + at));
                }
                return value.equals(LabelBreakdown.NONE)
                        ? none(k)
                        : value.equals(LabelBreakdown.OTHER) ? sums.get(place(k, CODE_OTHER)) : null;
            }
        }
        return value.equals(LabelBreakdown.NONE) ? total() : null;
    }

    /** Renders the labels as a snapshot has them; null for a run that has none. */
    @Nullable
    LabelBreakdown breakdown() {
        List<LabelBreakdown.Key> rows = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            boolean ofWorkers = i == names.size() - 1;
            Names key = names.get(i);
            int k = ofWorkers ? KEYS_MAX : i;
            if (!ofWorkers || isDivided(key)) {
                rows.add(key(key, k));
            }
        }
        return rows.isEmpty() ? null : new LabelBreakdown(rows);
    }

    /** Whether the samples are of several workers; a label of the producer's takes precedence over them. */
    private boolean isDivided(Names workers) {
        boolean some = sums.containsKey(place(KEYS_MAX, CODE_NONE));
        return workers.values().size() + (some ? 1 : 0) > 1
                && names.stream()
                                .filter(each -> each.name().equals(workers.name()))
                                .count()
                        == 1;
    }

    private LabelBreakdown.Key key(Names key, int k) {
        List<LabelBreakdown.Value> values = new ArrayList<>();
        for (int i = 0; i < key.values().size(); i++) {
            values.add(sums.getOrDefault(place(k, CODE_FIRST + i), LabelSums.ZERO)
                    .value(key.values().get(i), judged));
        }
        addShared(none(k), LabelBreakdown.NONE, values);
        addShared(sums.get(place(k, CODE_OTHER)), LabelBreakdown.OTHER, values);
        return new LabelBreakdown.Key(key.name(), values);
    }

    private void addShared(@Nullable LabelSums each, String name, List<LabelBreakdown.Value> into) {
        if (each != null) {
            into.add(each.value(name, judged));
        }
    }

    void write(DataOutput to) throws IOException {
        to.writeByte(names.size());
        for (Names each : names) {
            PartFields.writeText(each.name(), to);
            to.writeByte(each.values().size());
            for (String value : each.values()) {
                PartFields.writeText(value, to);
            }
        }
        to.writeShort(sums.size());
        for (Map.Entry<Integer, LabelSums> each : sums.entrySet()) {
            to.writeShort(each.getKey());
            each.getValue().write(to);
        }
        to.writeBoolean(judged);
    }

    static LabelsPart read(DataInput from) throws IOException {
        List<Names> names = new ArrayList<>();
        int keys = PartFields.bounded(from.readUnsignedByte(), KEYS_MAX + 1, "label keys");
        for (int i = 0; i < keys; i++) {
            String name = PartFields.readText(from, TEXT_MAX_BYTES, "a label key");
            int count = PartFields.bounded(from.readUnsignedByte(), CODES_MAX, "label values");
            List<String> values = new ArrayList<>();
            for (int k = 0; k < count; k++) {
                values.add(PartFields.readText(from, TEXT_MAX_BYTES, "a label value"));
            }
            names.add(new Names(name, values));
        }
        Map<Integer, LabelSums> sums = new TreeMap<>();
        int size = PartFields.bounded(from.readUnsignedShort(), (KEYS_MAX + 1) * CODES_MAX, "labels");
        for (int i = 0; i < size; i++) {
            int place = PartFields.bounded(from.readUnsignedShort(), (KEYS_MAX + 1) * CODES_MAX, "as a label");
            sums.put(place, LabelSums.read(from));
        }
        return new LabelsPart(names, sums, from.readBoolean());
    }
}
