package io.metricsaggregator.proxy;

import io.metricsaggregator.answer.AnswerReader;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.TextModelOutput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the texts of an answer, up to {@value #CHARS_MAX} characters; a longer answer has none. One owner. */
final class KeptTexts implements AnswerReader.Texts {
    static final int CHARS_MAX = 4 << 20;

    private final List<String> output = new ArrayList<>();
    private final List<String> reasoning = new ArrayList<>();
    private @Nullable List<@Nullable Object> toolCalls;
    private long chars;

    @Override
    public void output(String piece) {
        keep(output, piece);
    }

    @Override
    public void reasoning(String piece) {
        keep(reasoning, piece);
    }

    @Override
    public void toolCalls(List<?> calls) {
        chars += 256L * calls.size();
        if (chars <= CHARS_MAX) {
            toolCalls = toolCalls == null ? new ArrayList<>() : toolCalls;
            toolCalls.addAll(calls);
        }
    }

    private void keep(List<String> list, String piece) {
        chars += piece.length() + 40L;
        if (chars <= CHARS_MAX) {
            list.add(piece);
        } else {
            output.clear();
            reasoning.clear();
            toolCalls = null;
        }
    }

    /** The texts; null if there are none, or too many. */
    @Nullable
    TextModelOutput take() {
        if (chars == 0 || chars > CHARS_MAX) {
            return null;
        }
        return new TextModelOutput(text(output), reasoning.isEmpty() ? null : text(reasoning), toolCalls);
    }

    private static ModelText text(List<String> pieces) {
        return pieces.size() > 1
                ? new ModelText.Chunks(List.copyOf(pieces))
                : new ModelText.Whole(String.join("", pieces));
    }
}
