package io.metricsaggregator.tokens;

import io.metricsaggregator.template.TemplateException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each way in which counts become approximate once for a run. Thread-safe. */
final class TemplateTrouble {
    private static final Logger LOG = LoggerFactory.getLogger(TemplateTrouble.class);

    private final AtomicBoolean missing = new AtomicBoolean();
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicBoolean cut = new AtomicBoolean();

    /** There is no template for a text that needs one. */
    void missing(ChatFormat chat) {
        if (missing.compareAndSet(false, true)) {
            LOG.error(
                    "chat template missing beside={}: chats are counted as JSON, and outputs with reasoning or tool calls as"
                            + " plain text, see texts_approximate. Put the model's chat_template.jinja there.",
                    chat.folder());
        }
    }

    /**
     * A template failed on a text.
     *
     * @param template where it comes from
     */
    void failed(String template, TemplateException failure) {
        if (failed.compareAndSet(false, true)) {
            LOG.error(
                    "chat template failed template={} error=\"{}\": such texts are counted without it, see"
                            + " texts_approximate",
                    template,
                    failure.getMessage());
        }
    }

    /** A long text could only be cut where that may change its tokens. */
    void cut(int chars) {
        if (cut.compareAndSet(false, true)) {
            LOG.warn(
                    "long text cut within a word chars={}: its count can be off by a token for each {} characters, see"
                            + " texts_approximate",
                    chars,
                    TextPieces.PIECE_CHARS);
        }
    }
}
