package io.metricsaggregator.event.frame;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.IdKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The samples that handles stand for. A handle belongs to one producer, which is a source or worker in one of its lives, and stands for the sample that its
 * producer last gave it to. Producers are numbered from 0. What is kept is bounded, whatever producers send. One owner at a time; binding a handle allocates only for a page of handles that
 * are used the first time, and for an id that is not packed.
 */
final class ChunkHandles {
    /** Producers whose handles are kept. */
    static final int PRODUCERS_MAX = 4096;

    /** Pages of all producers: 4 Mi handles of the usual ids take about 75 MB. */
    static final int PAGES_MAX = 1 << 14;

    /** Bytes of all ids that are not packed, with the names of their producers. */
    static final int TEXT_BYTES_MAX = 1 << 24;

    /** The longest name of a producer, and the longest id, in bytes. */
    static final int NAME_MAX_BYTES = 256;

    private static final int PAGE_BITS = 8;
    private static final int PAGE_HANDLES = 1 << PAGE_BITS;
    private static final int INDEX_SIZE = 2 * PRODUCERS_MAX;
    private static final IdKind[] KINDS = IdKind.values();
    private static final ByteBuffer[] NO_TEXTS = {};

    private final @Nullable Producer[] index = new @Nullable Producer[INDEX_SIZE];
    private @Nullable Producer last;
    private int producers;
    private int pages;
    private int textBytes;

    /** The handles of one producer. */
    static final class Producer {
        final int number;
        private final byte[] name;
        private final long worker;
        private final long life;
        private @Nullable Page[] pages = {};

        private Producer(int number, byte[] name, long worker, long life) {
            this.number = number;
            this.name = name;
            this.worker = worker;
            this.life = life;
        }

        private boolean sent(DecodedEvent event) {
            return life == event.life()
                    && (event.hasSourceId()
                            ? event.sourceEquals(name, Integer.MAX_VALUE)
                            : name.length == 0 && worker == event.workerId());
        }

        /** The page of a handle; null if none of its handles was given, which holds for any number that is not a handle. */
        private @Nullable Page page(int handle) {
            int number = handle >>> PAGE_BITS;
            return number < pages.length ? pages[number] : null;
        }
    }

    /** What consecutive handles stand for. */
    static final class Page {
        private final long[] ids = new long[2 * PAGE_HANDLES];
        /** Ordinals of {@link IdKind}. */
        private final byte[] kinds = new byte[PAGE_HANDLES];
        /** For a long id, the name of the producer and then the id; empty until one is among the samples. */
        private ByteBuffer[] texts = NO_TEXTS;
    }

    /**
     * Gives the handle of a {@code sample.recv_first} to its sample.
     *
     * @return false if the event has a handle that cannot be given: its sample, its source or life is missing, a text is too long, or a limit is reached
     */
    boolean bind(DecodedEvent event) {
        int handle = event.handle();
        if (handle == DecodedEvent.NO_HANDLE || event.type() == null) {
            return true;
        }
        Producer producer = isBindable(event) ? producer(event) : null;
        if (producer == null) {
            return false;
        }
        Page page = page(producer, handle);
        return page != null && keep(page, handle & (PAGE_HANDLES - 1), producer, event);
    }

    private static boolean isBindable(DecodedEvent event) {
        return event.type() == EventType.SAMPLE_RECV_FIRST
                && event.handle() >= 0
                && event.idKind() != IdKind.EMPTY
                && event.life() != DecodedEvent.NO_LIFE
                && (event.hasSourceId() || event.hasWorkerId())
                && event.sourceLength() <= NAME_MAX_BYTES
                && event.idLength() <= NAME_MAX_BYTES;
    }

    private boolean keep(Page page, int slot, Producer producer, DecodedEvent event) {
        ByteBuffer text = null;
        if (event.idKind() == IdKind.LONG) {
            byte[] id = event.copyIdText();
            if (textBytes + producer.name.length + id.length > TEXT_BYTES_MAX) {
                // The sample that had the handle must not get the chunks of this one.
                forget(page, slot);
                return false;
            }
            text = ByteBuffer.allocate(producer.name.length + id.length)
                    .put(producer.name)
                    .put(id);
        }
        forget(page, slot);
        if (text != null) {
            if (page.texts.length == 0) {
                page.texts = new ByteBuffer[PAGE_HANDLES];
            }
            page.texts[slot] = text;
            textBytes += text.capacity();
        }
        page.kinds[slot] = (byte) event.idKind().ordinal();
        page.ids[2 * slot] = event.idHigh();
        page.ids[2 * slot + 1] = event.idLow();
        return true;
    }

    private void forget(Page page, int slot) {
        if (page.kinds[slot] == IdKind.LONG.ordinal()) {
            textBytes -= page.texts[slot].capacity();
        }
        page.kinds[slot] = (byte) IdKind.EMPTY.ordinal();
    }

    private @Nullable Page page(Producer producer, int handle) {
        Page found = producer.page(handle);
        if (found != null) {
            return found;
        }
        if (pages >= PAGES_MAX) {
            return null;
        }
        int number = handle >>> PAGE_BITS;
        if (number >= producer.pages.length) {
            producer.pages = Arrays.copyOf(producer.pages, Math.max(number + 1, 2 * producer.pages.length));
        }
        Page added = new Page();
        producer.pages[number] = added;
        pages++;
        return added;
    }

    private @Nullable Producer producer(DecodedEvent event) {
        Producer known = find(event);
        if (known != null || producers >= PRODUCERS_MAX) {
            return known;
        }
        Producer added = new Producer(
                producers,
                event.hasSourceId() ? event.copySource(Integer.MAX_VALUE) : new byte[0],
                event.workerId(),
                event.life());
        int position = position(event);
        while (index[position] != null) {
            position = (position + 1) & (INDEX_SIZE - 1);
        }
        index[position] = added;
        producers++;
        return added;
    }

    /** The producer with the source or worker, and the life, of an event; null if it gave no handle. */
    @Nullable
    Producer find(DecodedEvent event) {
        Producer before = last;
        if (before != null && before.sent(event)) {
            return before;
        }
        int position = position(event);
        Producer found = index[position];
        while (found != null && !found.sent(event)) {
            position = (position + 1) & (INDEX_SIZE - 1);
            found = index[position];
        }
        last = found;
        return found;
    }

    private static int position(DecodedEvent event) {
        long key = event.hasSourceId() ? event.sourceHash(Integer.MAX_VALUE) : event.workerId();
        long h = (key * 31 + event.life()) * 0x9e3779b97f4a7c15L;
        return (int) (h >>> 40) & (INDEX_SIZE - 1);
    }

    /** The buffer that an event of a handle refers to: that of a long id, else {@code otherwise}. */
    static ByteBuffer bytes(@Nullable Producer producer, int handle, ByteBuffer otherwise) {
        Page page = producer == null ? null : producer.page(handle);
        int slot = handle & (PAGE_HANDLES - 1);
        return page != null && page.kinds[slot] == IdKind.LONG.ordinal() ? page.texts[slot] : otherwise;
    }

    /** Sets the id of an event to that of the sample that a handle stands for; leaves it as it is if the handle stands for none. */
    static void setId(@Nullable Producer producer, int handle, DecodedEvent into) {
        Page page = producer == null ? null : producer.page(handle);
        int slot = handle & (PAGE_HANDLES - 1);
        if (producer == null || page == null || page.kinds[slot] == IdKind.EMPTY.ordinal()) {
            return;
        }
        IdKind kind = KINDS[page.kinds[slot]];
        int nameLength = producer.name.length;
        int length = kind == IdKind.LONG ? page.texts[slot].capacity() - nameLength : 0;
        into.setId(kind, page.ids[2 * slot], page.ids[2 * slot + 1], length == 0 ? 0 : nameLength, length);
    }
}
