package io.metricsaggregator.fold.token;

import io.metricsaggregator.fold.conversation.ConversationFold;
import io.metricsaggregator.fold.label.LabelFold;
import io.metricsaggregator.fold.row.RowColumn;
import io.metricsaggregator.text.PendingPrompt;
import java.util.HashMap;
import java.util.Map;

/**
 * Brings the counted length of a prompt, which is known at the issue or when its text has been counted, together with the length that the server
 * reports at the completion. Either may come first. It remembers prompts from the first usage of the run on, so that a run without usage keeps
 * nothing; which prompts those are depends on the order of records only, so a replay compares the same ones. Belongs to the thread of the fold.
 */
final class PromptJoin {
    /** The prompt of a row has no count that could be compared. */
    private static final long UNKNOWN = 0;

    private final UsageMismatch mismatch;
    private final RowColumn lengths = new RowColumn();
    /** Reported lengths of samples that completed before their prompt was counted, by ticket; at most one for each queued text. */
    private final Map<Long, Long> reported = new HashMap<>();

    private boolean active;
    private long tickets;

    PromptJoin(UsageMismatch mismatch) {
        this.mismatch = mismatch;
    }

    /** Remembers prompts from now on. */
    void activate() {
        active = true;
    }

    /** Sets the length of the prompt of a sample that was issued. */
    void known(int row, long tokens) {
        if (active) {
            lengths.set(row, encoded(tokens));
        }
    }

    /** Notes that the prompt of a sample that was issued has no length. */
    void unknown(int row) {
        if (active) {
            lengths.set(row, UNKNOWN);
        }
    }

    /** Notes that the prompt of a sample that was issued is queued to be counted. */
    PendingPrompt await(int row, long labels, long conversation) {
        if (!active) {
            return labels == LabelFold.NO_LABELS && conversation == ConversationFold.NONE
                    ? PendingPrompt.NONE
                    : new PendingPrompt(0, row, labels, conversation);
        }
        tickets++;
        lengths.set(row, -tickets);
        return new PendingPrompt(tickets, row, labels, conversation);
    }

    /** Takes the count of a queued prompt. */
    void counted(PendingPrompt pending, long tokens) {
        if (pending.ticket() == 0) {
            return;
        }
        if (lengths.get(pending.row()) == -pending.ticket()) {
            lengths.set(pending.row(), encoded(tokens));
            return;
        }
        Long server = reported.remove(pending.ticket());
        if (server != null) {
            mismatch.compare(server, tokens);
        }
    }

    /** Takes note that a queued prompt could not be counted. */
    void notCounted(PendingPrompt pending) {
        if (pending.ticket() == 0) {
            return;
        }
        if (lengths.get(pending.row()) == -pending.ticket()) {
            lengths.set(pending.row(), UNKNOWN);
        } else if (reported.remove(pending.ticket()) != null) {
            mismatch.skip();
        }
    }

    /** Takes the length that the server reports for a sample that completed. */
    void completed(int row, long server) {
        long length = active ? lengths.get(row) : UNKNOWN;
        if (length == UNKNOWN) {
            mismatch.skip();
        } else if (length > 0) {
            mismatch.compare(server, length - 1);
        } else {
            reported.put(-length, server);
            lengths.set(row, UNKNOWN);
        }
    }

    /** A length as it lies in the column: above 0. Negative numbers are tickets. */
    private static long encoded(long tokens) {
        return Math.min(tokens, Long.MAX_VALUE - 1) + 1;
    }
}
