package io.metricsaggregator.event;

import java.util.List;

/** A model's text as it was received: whole, or in streamed chunks. */
public sealed interface ModelText {

    /** The text as one string; chunks are joined with nothing between them. */
    String joined();

    /** A text that arrived in one piece. */
    record Whole(String text) implements ModelText {
        @Override
        public String joined() {
            return text;
        }
    }

    /** A streamed text: its chunks in order. */
    record Chunks(List<String> chunks) implements ModelText {
        public Chunks {
            chunks = List.copyOf(chunks);
        }

        @Override
        public String joined() {
            return String.join("", chunks);
        }
    }
}
