package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sections of successive snapshots of one run: the large ones that change with every snapshot are read in place, and of
 * the others one whose bytes are those of the snapshot before is not read again. One owner.
 */
final class RememberedSections implements Sections {
    /** A larger section is read anew each time. */
    private static final int BYTES_MAX = 1 << 16;

    private static final String WORKERS = "workers";
    private static final String BY_LABEL = "by_label";
    private static final String SLICES = "slices";
    private static final byte[] NONE = {};

    private final MsgpackTree tree;
    private final UsualForm form;
    private final UsualRows rows;
    private final Map<String, Memory> memories = new HashMap<>();
    private SnapshotOutline outline = new SnapshotOutline();

    /** A section, and what it was read as. */
    private static final class Memory {
        private final byte[] key;
        private boolean known;
        private byte[] bytes = NONE;
        private @Nullable Object value;

        Memory(String key) {
            this.key = SnapshotOutline.key(key);
        }
    }

    RememberedSections(MsgpackTree tree, UsualForm form) {
        this.tree = tree;
        this.form = form;
        this.rows = new UsualRows(form);
    }

    /** The sections of the next snapshot. */
    Sections of(SnapshotOutline next) {
        outline = next;
        return this;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"
    }) // A key always has the same decoder, which decides whether T is nullable.
    public <T extends @Nullable Object> T section(String key, Decoder<T> decoder) throws MalformedMessageException {
        Memory memory = memories.computeIfAbsent(key, Memory::new);
        int section = outline.section(memory.key);
        int start = section < 0 ? 0 : outline.start(section);
        int end = section < 0 ? 0 : outline.end(section);
        byte[] old = memory.bytes;
        if (memory.known && Arrays.equals(old, 0, old.length, outline.bytes(), start, end)) {
            return (T) memory.value;
        }
        T usual = start == end ? null : (T) usual(key, start, end);
        if (usual != null) {
            return usual;
        }
        T value = decoder.read(start == end ? null : tree.readAt(outline.buffer(), start, end - start));
        memory.known = end - start <= BYTES_MAX;
        memory.bytes = memory.known ? Arrays.copyOfRange(outline.bytes(), start, end) : NONE;
        memory.value = memory.known ? value : null;
        return value;
    }

    /** The value of a section that has its usual form; null for others, and for sections that are not large. */
    private @Nullable Object usual(String key, int start, int end) {
        form.start(outline, start, end);
        return switch (key) {
            case WORKERS -> rows.workers();
            case BY_LABEL -> rows.labels();
            case SLICES -> rows.slices();
            default -> null;
        };
    }
}
