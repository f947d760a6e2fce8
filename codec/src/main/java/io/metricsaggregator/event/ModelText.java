package io.metricsaggregator.event;

import java.util.List;

/** A model's text as it was received: whole, or in streamed chunks. */
public sealed interface ModelText {

    /** The text as one string; chunks are joined with nothing between them. */
    String joined();

    /** Text that came at once. */
    record Whole(String text) implements ModelText {
        @Override
        public String joined() {
            return text;
        }
    }

    /** Text that came in chunks, in order. */
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
