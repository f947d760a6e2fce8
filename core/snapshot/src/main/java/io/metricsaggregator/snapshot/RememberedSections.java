package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.FieldsReader;
import io.metricsaggregator.snapshot.fields.TreeReader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sections of successive snapshots of one run: those of records are read in place, and of
 * the others one whose bytes are those of the snapshot before is not read again. One owner.
 */
final class RememberedSections implements Sections {
    /** A larger section is read anew each time. */
    private static final int BYTES_MAX = 1 << 16;

    private static final byte NIL = (byte) 0xc0;
    private static final byte[] NONE = {};

    private final MsgpackTree tree;
    private final FieldsReader fields;
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

    RememberedSections(MsgpackTree tree, FieldsReader fields) {
        this.tree = tree;
        this.fields = fields;
    }

    /** The sections of the next snapshot. */
    Sections of(SnapshotOutline next) {
        outline = next;
        return this;
    }

    @Override
    public <T> T record(String key, T value, Fields.Shape<T> shape, T blank) throws MalformedMessageException {
        T read = absent(key, null, shape, blank);
        return read == null ? TreeReader.read(key, null, shape, blank) : read;
    }

    @Override
    public <T> @Nullable T absent(String key, @Nullable T value, Fields.Shape<T> shape, T blank)
            throws MalformedMessageException {
        int section = section(key);
        return section < 0
                ? null
                : fields.read(key, outline.bytes(), outline.start(section), outline.end(section), shape, blank);
    }

    @Override
    public <T> List<T> list(String key, List<T> values, Fields.Shape<T> shape, T blank)
            throws MalformedMessageException {
        List<T> read = absentList(key, null, shape, blank);
        return read == null ? TreeReader.readList(key, null, shape, blank) : read;
    }

    @Override
    public <T> @Nullable List<T> absentList(String key, @Nullable List<T> values, Fields.Shape<T> shape, T blank)
            throws MalformedMessageException {
        int section = section(key);
        return section < 0
                ? null
                : fields.list(key, outline.bytes(), outline.start(section), outline.end(section), shape, blank);
    }

    @Override
    @SuppressWarnings("unchecked") // a key always has the same form
    public <T> @Nullable T absentForm(String key, @Nullable T value, Fields.Form<T> form)
            throws MalformedMessageException {
        int section = section(key);
        if (section < 0) {
            return null;
        }
        Memory memory = memory(key);
        int start = outline.start(section);
        int end = outline.end(section);
        byte[] old = memory.bytes;
        if (memory.known && Arrays.equals(old, 0, old.length, outline.bytes(), start, end)) {
            return (T) memory.value;
        }
        T read = form.read(key, tree.readAt(outline.buffer(), start, end - start));
        memory.known = end - start <= BYTES_MAX;
        memory.bytes = memory.known ? Arrays.copyOfRange(outline.bytes(), start, end) : NONE;
        memory.value = memory.known ? read : null;
        return read;
    }

    /** The section's place; negative if it is absent or nil. */
    private int section(String key) {
        int section = outline.section(memory(key).key);
        return section >= 0 && outline.bytes()[outline.start(section)] == NIL ? -1 : section;
    }

    private Memory memory(String key) {
        return memories.computeIfAbsent(key, Memory::new);
    }
}
