package io.metricsaggregator.tokens;

import io.metricsaggregator.event.DecodedEvent;
import java.nio.ByteBuffer;

/**
 * Texts on their way to be counted, and their counts on the way back: one block of memory, in which each text follows its own
 * head. Blocks are few and large, so that filling one costs no more than copying the bytes. Belongs to one thread at a time: the
 * one that fills it, the worker that counts, the one that records.
 */
final class TextBatch {
    /** Bytes of a block; one that holds a longer text is as large as that needs. */
    static final int BLOCK_BYTES = 128 * 1024;
    /** Items to a batch: few enough for every thread to have work. */
    static final int ITEMS_MAX = 512;

    // The head of an item, by offset: length, outcome, whether it is a prompt, what is known of its objectives, and
    // four numbers.
    private static final int LENGTH = 0;
    private static final int OUTCOME = 4;
    private static final int PROMPT = 5;
    private static final int MET = 6;
    private static final int SINCE_FIRST = 8;
    private static final int TOKENS = 16;
    private static final int TOKENS_AFTER_FIRST = 24;
    private static final int COMPLETED = 32;
    static final int HEAD_BYTES = 40;

    private static final Outcome[] OUTCOMES = Outcome.values();

    /** What became of an item. */
    enum Outcome {
        /** Not counted, for whatever reason. What an item starts as. */
        FAILED,
        COUNTED,
        /** Counted without the model's chat template, which would frame it. */
        APPROXIMATE,
        /** There is nothing in it to count. */
        EMPTY
    }

    private final ByteBuffer block;
    private int items;
    private int used;
    private int item;
    private int next;
    private int settled;
    private final boolean ownBlock;

    /** An empty batch that fills {@code block}, of {@link #BLOCK_BYTES}. */
    TextBatch(ByteBuffer block) {
        this.block = block;
        this.ownBlock = false;
    }

    /** An empty batch for a text that is longer than a block; used once. */
    TextBatch(int length) {
        this.block = ByteBuffer.allocate(HEAD_BYTES + length);
        this.ownBlock = true;
    }

    /** Whether a block has room for a text of this length. */
    static boolean fitsABlock(int length) {
        return length <= BLOCK_BYTES - HEAD_BYTES;
    }

    /** Memory it holds. */
    int capacity() {
        return block.capacity();
    }

    boolean isEmpty() {
        return items == 0;
    }

    int size() {
        return items;
    }

    boolean hasRoomFor(int length) {
        return items < ITEMS_MAX && length <= block.capacity() - used - HEAD_BYTES;
    }

    /** Adds the encoded data of an event, for which there must be room. */
    void add(DecodedEvent event, boolean isPrompt, long sinceFirstNanos, long completedNanos, int met) {
        int length = event.dataLength();
        block.putInt(used + LENGTH, length);
        block.put(used + OUTCOME, (byte) Outcome.FAILED.ordinal());
        block.put(used + PROMPT, (byte) (isPrompt ? 1 : 0));
        block.put(used + MET, (byte) met);
        block.putLong(used + SINCE_FIRST, sinceFirstNanos);
        block.putLong(used + COMPLETED, completedNanos);
        event.copyData(block, used + HEAD_BYTES);
        used += HEAD_BYTES + length;
        items++;
    }

    /** Goes back to before the first item. */
    void rewind() {
        next = 0;
    }

    /** Goes on to the next item; false after the last. */
    boolean next() {
        if (next == used) {
            return false;
        }
        item = next;
        next += HEAD_BYTES + block.getInt(item + LENGTH);
        return true;
    }

    boolean isPrompt() {
        return block.get(item + PROMPT) != 0;
    }

    /** For outputs, as the fold gave it. */
    long sinceFirstNanos() {
        return block.getLong(item + SINCE_FIRST);
    }

    /** For outputs, as the fold gave it. */
    long completedNanos() {
        return block.getLong(item + COMPLETED);
    }

    /** For outputs, as the fold gave it. */
    int met() {
        return block.get(item + MET);
    }

    /** The item's encoded data. */
    ByteBuffer data() {
        return block.slice(item + HEAD_BYTES, block.getInt(item + LENGTH));
    }

    Outcome outcome() {
        return OUTCOMES[block.get(item + OUTCOME)];
    }

    long tokens() {
        return block.getLong(item + TOKENS);
    }

    /** Tokens after the first chunk; 0 where there is none or that is not known. */
    long tokensAfterFirst() {
        return block.getLong(item + TOKENS_AFTER_FIRST);
    }

    /** Says what became of the item. */
    void counted(Outcome outcome, long tokens, long tokensAfterFirst) {
        block.putLong(item + TOKENS, tokens);
        block.putLong(item + TOKENS_AFTER_FIRST, tokensAfterFirst);
        block.put(item + OUTCOME, (byte) outcome.ordinal());
    }

    /** Whether it can be filled again, once it is cleared. */
    boolean isReusable() {
        return !ownBlock;
    }

    /**
     * A batch of the same items for another worker, when this one's stands still at an item: what was counted is kept, that item is
     * failed, and those behind it are still to be counted. May be called while that worker still has this batch.
     *
     * @param stuck the number of the item, from 0
     */
    TextBatch without(int stuck) {
        int at = 0;
        int length = 0;
        for (int i = 0; i < items; i++) {
            int data = block.getInt(at + LENGTH);
            length += HEAD_BYTES + (i > stuck ? data : 0);
            at += HEAD_BYTES + data;
        }
        TextBatch copy = new TextBatch(length - HEAD_BYTES);
        at = 0;
        for (int i = 0; i < items; i++) {
            int data = block.getInt(at + LENGTH);
            int kept = i > stuck ? data : 0;
            copy.block.put(copy.used, block, at, HEAD_BYTES + kept);
            copy.block.putInt(copy.used + LENGTH, kept);
            if (i == stuck) {
                copy.block.put(copy.used + OUTCOME, (byte) Outcome.FAILED.ordinal());
            }
            copy.used += HEAD_BYTES + kept;
            at += HEAD_BYTES + data;
        }
        copy.items = items;
        copy.settled = stuck + 1;
        return copy;
    }

    /** Bytes of an item's data. */
    int length(int number) {
        int at = 0;
        for (int i = 0; i < number; i++) {
            at += HEAD_BYTES + block.getInt(at + LENGTH);
        }
        return block.getInt(at + LENGTH);
    }

    /** Items at the start that need no counting any more. */
    int settled() {
        return settled;
    }

    /** Makes it empty. */
    void clear() {
        settled = 0;
        items = 0;
        used = 0;
        next = 0;
    }
}
