package io.metricsaggregator.simulation.life.plan;

import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.simulation.machine.Machine;
import io.metricsaggregator.tokens.TokenCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

/**
 * The texts of samples, by the sample's number, and a counter whose tokens are words. Outputs come whole or in chunks; some are empty, and one is too long for
 * the memory of other texts.
 */
public final class Words implements TokenCounter {
    private static final String WORD = "word ";
    private static final int PROMPT_MAX = 40;
    private static final int CHUNKS_MAX = 6;
    private static final int LONG_SAMPLE = 97;
    private static final int LONG_WORDS = 30_000;

    /** Number of words in the prompt of a sample. */
    public static int ofPrompt(int sample) {
        return 1 + sample * 7 % PROMPT_MAX;
    }

    /** Number of words in the output of a sample. */
    public static int ofOutput(int sample) {
        return isLong(sample) ? LONG_WORDS : chunks(sample) * wordsAChunk(sample);
    }

    /** Number of words behind the first chunk of the output of a sample; 0 if it comes whole. */
    public static int behindFirstChunk(int sample) {
        return isWhole(sample) ? 0 : Math.max(0, ofOutput(sample) - wordsAChunk(sample));
    }

    private static boolean isLong(int sample) {
        return sample == LONG_SAMPLE;
    }

    private static boolean isWhole(int sample) {
        return isLong(sample) || sample % 5 == 0;
    }

    private static int chunks(int sample) {
        return sample % CHUNKS_MAX;
    }

    private static int wordsAChunk(int sample) {
        return 1 + sample % 4;
    }

    /** The prompt of a sample. */
    public static PromptData prompt(int sample) {
        return PromptData.ofText(WORD.repeat(ofPrompt(sample)));
    }

    /** The output of a sample. */
    public static TextModelOutput output(int sample) {
        if (isWhole(sample)) {
            return new TextModelOutput(new ModelText.Whole(WORD.repeat(ofOutput(sample))), null, null);
        }
        List<String> chunks = new ArrayList<>();
        for (int i = 0; i < chunks(sample); i++) {
            chunks.add(WORD.repeat(wordsAChunk(sample)));
        }
        return new TextModelOutput(new ModelText.Chunks(chunks), null, null);
    }

    @Override
    public long count(String text) {
        Machine.active().step("count");
        return new StringTokenizer(text, " ").countTokens();
    }
}
