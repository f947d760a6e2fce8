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
 * The sections of successive snapshots of one run: those of records with a declaration are read in place, and of
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
    @SuppressWarnings({"unchecked", "NullAway"
    }) // A key always has the same decoder, which decides whether T is nullable.
    public <T extends @Nullable Object> T section(String key, Decoder<T> decoder) throws MalformedMessageException {
        Memory memory = memory(key);
        int section = outline.section(memory.key);
        int start = section < 0 ? 0 : outline.start(section);
        int end = section < 0 ? 0 : outline.end(section);
        byte[] old = memory.bytes;
        if (memory.known && Arrays.equals(old, 0, old.length, outline.bytes(), start, end)) {
            return (T) memory.value;
        }
        T value = decoder.read(start == end ? null : tree.readAt(outline.buffer(), start, end - start));
        memory.known = end - start <= BYTES_MAX;
        memory.bytes = memory.known ? Arrays.copyOfRange(outline.bytes(), start, end) : NONE;
        memory.value = memory.known ? value : null;
        return value;
    }

    @Override
    public <T> @Nullable T record(String key, Fields.Shape<T> shape, T blank) throws MalformedMessageException {
        int section = outline.section(memory(key).key);
        byte[] bytes = outline.bytes();
        return section < 0 || bytes[outline.start(section)] == NIL
                ? null
                : fields.read(key, bytes, outline.start(section), outline.end(section), shape, blank);
    }

    @Override
    public <T> List<T> list(String key, Fields.Shape<T> shape, T blank) throws MalformedMessageException {
        int section = outline.section(memory(key).key);
        return section < 0
                ? TreeReader.readList(key, null, shape, blank)
                : fields.list(key, outline.bytes(), outline.start(section), outline.end(section), shape, blank);
    }

    private Memory memory(String key) {
        return memories.computeIfAbsent(key, Memory::new);
    }
}
