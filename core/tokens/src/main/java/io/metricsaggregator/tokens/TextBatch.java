package io.metricsaggregator.tokens;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.OutputDetail;
import io.metricsaggregator.text.PendingOutput;
import io.metricsaggregator.text.PendingPrompt;
import java.nio.ByteBuffer;

/**
 * A batch of texts to be counted, and later their counts: one block of memory in which each text follows its own header. Blocks are few
 * and large, so that filling one costs no more than copying the bytes. Owned by one thread at a time: the thread that fills it, then
 * the worker that counts, then again the thread that filled it.
 */
final class TextBatch {
    /** Size of a block in bytes; a longer text gets a block of its own. */
    static final int BLOCK_BYTES = 128 * 1024;
    /** Maximum number of items in a batch, small enough that every worker gets one. */
    static final int ITEMS_MAX = 512;

    // Offsets in the header of an item: its length, its outcome, its kind, the pending output or prompt, and the
    // counts.
    private static final int LENGTH = 0;
    private static final int OUTCOME = 4;
    private static final int PROMPT = 5;
    private static final int LIMITS_MET = 6;
    private static final int COUNTS_PARTS = 7;
    private static final int SINCE_FIRST = 8;
    private static final int TOKENS = 16;
    private static final int TOKENS_AFTER_FIRST = 24;
    private static final int COMPLETED = 32;
    private static final int USAGE_TOKENS = 40;
    private static final int USAGE_REASONING = 48;
    private static final int LATENCY = 56;
    private static final int RECEIVE = 64;
    private static final int REASONING_TOKENS = 72;
    private static final int ANSWER_TOKENS = 80;
    private static final int LABELS = 88;
    private static final int ISSUED = 96;
    private static final int SUPER_PASS = 104;
    private static final int SINCE_FIRST_EVER = 112;
    private static final int CONVERSATION = 120;
    private static final int SAMPLE_OUTCOME = 128;
    private static final int USAGE_PROMPT = 136;
    static final int HEAD_BYTES = 144;

    // Where a prompt has its ticket and row.
    private static final int TICKET = COMPLETED;
    private static final int ROW = USAGE_TOKENS;

    private static final Outcome[] OUTCOMES = Outcome.values();
    private static final OutputDetail.Outcome[] SAMPLE_OUTCOMES = OutputDetail.Outcome.values();
    private static final LimitsMet[] LIMITS = LimitsMet.values();
    private static final PendingOutput NO_OUTPUT =
            new PendingOutput(PendingOutput.NO_FIRST_CHUNK, 0, 0, LimitsMet.JUDGED);

    /** Result of counting an item. */
    enum Outcome {
        /** Not counted, for any reason; also the initial outcome of an item. */
        FAILED,
        COUNTED,
        /** Counted without the model's chat template, so that the tokens of the template are missing. */
        APPROXIMATE,
        /** The item has no text to count. */
        EMPTY
    }

    private final ByteBuffer block;
    private int items;
    private int used;
    private int item;
    private int next;
    private int settled;
    private final boolean ownBlock;

    /** Creates an empty batch that fills {@code block}, of {@link #BLOCK_BYTES}. */
    TextBatch(ByteBuffer block) {
        this.block = block;
        this.ownBlock = false;
    }

    /** Creates a single-use batch for a text that is longer than a block. */
    TextBatch(int length) {
        this.block = ByteBuffer.allocate(HEAD_BYTES + length);
        this.ownBlock = true;
    }

    /** Returns whether a block has room for a text of {@code length} bytes. */
    static boolean fitsABlock(int length) {
        return length <= BLOCK_BYTES - HEAD_BYTES;
    }

    /** Returns the size of its block in bytes. */
    int capacity() {
        return block.capacity();
    }

    boolean isEmpty() {
        return items == 0;
    }

    /** Returns whether a text of this many bytes can be added. */
    boolean hasRoomFor(int length) {
        return items < ITEMS_MAX && length <= block.capacity() - used - HEAD_BYTES;
    }

    /** Adds the encoded prompt of an event. The caller has checked that it fits. */
    void addPrompt(DecodedEvent event, PendingPrompt pending) {
        int at = used;
        add(event, true, NO_OUTPUT);
        block.putLong(at + TICKET, pending.ticket());
        block.putLong(at + ROW, pending.row());
        block.putLong(at + LABELS, pending.labels());
        block.putLong(at + CONVERSATION, pending.conversation());
    }

    /** Adds the encoded output of an event. The caller has checked that it fits. */
    void addOutput(DecodedEvent event, PendingOutput pending) {
        add(event, false, pending);
    }

    private void add(DecodedEvent event, boolean isPrompt, PendingOutput pending) {
        int length = event.dataLength();
        block.putInt(used + LENGTH, length);
        block.put(used + OUTCOME, (byte) Outcome.FAILED.ordinal());
        block.put(used + PROMPT, (byte) (isPrompt ? 1 : 0));
        block.put(used + LIMITS_MET, (byte) pending.limitsMet().ordinal());
        block.putLong(used + SINCE_FIRST, pending.sinceFirstNanos());
        block.putLong(used + ISSUED, pending.issuedNanos());
        block.putLong(used + COMPLETED, pending.completedNanos());
        OutputDetail detail = pending.detail();
        block.put(used + COUNTS_PARTS, (byte) (detail.countsParts() ? 1 : 0));
        block.putLong(used + USAGE_TOKENS, detail.usageTokens());
        block.putLong(used + USAGE_REASONING, detail.usageReasoning());
        block.putLong(used + USAGE_PROMPT, detail.usagePrompt());
        block.putLong(used + LATENCY, detail.latencyNanos());
        block.putLong(used + RECEIVE, detail.receiveNanos());
        block.putLong(used + LABELS, detail.labels());
        block.putLong(used + SUPER_PASS, detail.superPass());
        block.putLong(used + SINCE_FIRST_EVER, detail.sinceFirstEverNanos());
        block.putLong(used + CONVERSATION, detail.conversation());
        block.put(used + SAMPLE_OUTCOME, (byte) detail.outcome().ordinal());
        event.copyData(block, used + HEAD_BYTES);
        used += HEAD_BYTES + length;
        items++;
    }

    /** Moves to the position before the first item. */
    void rewind() {
        next = 0;
    }

    /** Moves to the next item; returns false after the last. */
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

    /** Returns whether the item is an output whose tokens after the first chunk are needed. */
    boolean hasFirstChunk() {
        return block.getLong(item + SINCE_FIRST) != PendingOutput.NO_FIRST_CHUNK;
    }

    /** Returns the pending output that was added with the item, which must be an output. */
    PendingOutput pending() {
        return new PendingOutput(
                block.getLong(item + SINCE_FIRST),
                block.getLong(item + ISSUED),
                block.getLong(item + COMPLETED),
                LIMITS[block.get(item + LIMITS_MET)],
                detail());
    }

    private OutputDetail detail() {
        OutputDetail.Outcome outcome = SAMPLE_OUTCOMES[block.get(item + SAMPLE_OUTCOME)];
        if (block.getLong(item + USAGE_TOKENS) == OutputDetail.ABSENT
                && block.getLong(item + LATENCY) == OutputDetail.NO_TIME
                && block.getLong(item + LABELS) == 0
                && block.getLong(item + SUPER_PASS) == OutputDetail.ABSENT
                && block.getLong(item + CONVERSATION) == 0
                && !countsParts()) {
            return OutputDetail.plain(outcome);
        }
        return new OutputDetail(
                block.getLong(item + USAGE_TOKENS),
                block.getLong(item + USAGE_REASONING),
                block.getLong(item + LATENCY),
                block.getLong(item + RECEIVE),
                block.getLong(item + LABELS),
                countsParts(),
                block.getLong(item + SUPER_PASS),
                block.getLong(item + SINCE_FIRST_EVER),
                block.getLong(item + CONVERSATION),
                outcome,
                block.getLong(item + USAGE_PROMPT));
    }

    /** Returns whether the tokens of reasoning and answer of an output are needed each alone. */
    boolean countsParts() {
        return block.get(item + COUNTS_PARTS) != 0;
    }

    /** Sets the tokens of reasoning and answer; to be called before {@link #counted}. */
    void parts(long reasoning, long answer) {
        block.putLong(item + REASONING_TOKENS, reasoning);
        block.putLong(item + ANSWER_TOKENS, answer);
    }

    long reasoningTokens() {
        return block.getLong(item + REASONING_TOKENS);
    }

    long answerTokens() {
        return block.getLong(item + ANSWER_TOKENS);
    }

    /** Returns the pending prompt that was added with the item, which must be a prompt. */
    PendingPrompt pendingPrompt() {
        long ticket = block.getLong(item + TICKET);
        long labels = block.getLong(item + LABELS);
        long conversation = block.getLong(item + CONVERSATION);
        return ticket == 0 && labels == 0 && conversation == 0
                ? PendingPrompt.NONE
                : new PendingPrompt(ticket, (int) block.getLong(item + ROW), labels, conversation);
    }

    /** Returns the encoded data of the item. */
    ByteBuffer data() {
        return block.slice(item + HEAD_BYTES, block.getInt(item + LENGTH));
    }

    Outcome outcome() {
        return OUTCOMES[block.get(item + OUTCOME)];
    }

    long tokens() {
        return block.getLong(item + TOKENS);
    }

    /** Returns the number of tokens after the first chunk; 0 if there are none or they were not counted. */
    long tokensAfterFirst() {
        return block.getLong(item + TOKENS_AFTER_FIRST);
    }

    /** Sets the outcome and the counts of the item. */
    void counted(Outcome outcome, long tokens, long tokensAfterFirst) {
        block.putLong(item + TOKENS, tokens);
        block.putLong(item + TOKENS_AFTER_FIRST, tokensAfterFirst);
        block.put(item + OUTCOME, (byte) outcome.ordinal());
    }

    /** Returns whether the batch can be filled again after {@link #clear}. */
    boolean isReusable() {
        return !ownBlock;
    }

    /**
     * Copies the batch for another worker because the current one hangs at an item: counts before that item are kept, the item counts
     * as failed, and those after it remain to be counted. Safe while the stuck worker still uses this batch.
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

    /** Returns the size in bytes of an item's data, by the item's index from 0. */
    int length(int number) {
        int at = 0;
        for (int i = 0; i < number; i++) {
            at += HEAD_BYTES + block.getInt(at + LENGTH);
        }
        return block.getInt(at + LENGTH);
    }

    /** Returns the number of leading items that an earlier worker has settled. */
    int settled() {
        return settled;
    }

    /** Removes all items. */
    void clear() {
        settled = 0;
        items = 0;
        used = 0;
        next = 0;
    }
}
