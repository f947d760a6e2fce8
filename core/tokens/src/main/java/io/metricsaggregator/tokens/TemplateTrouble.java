package io.metricsaggregator.tokens;

import io.metricsaggregator.template.TemplateException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each cause of approximate counts once per run. Thread-safe. */
final class TemplateTrouble {
    private static final Logger LOG = LoggerFactory.getLogger(TemplateTrouble.class);

    private final AtomicBoolean missing = new AtomicBoolean();
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicBoolean cut = new AtomicBoolean();

    /** Logs that a text needs a template and the model has none. */
    void missing(ChatFormat chat) {
        if (missing.compareAndSet(false, true)) {
            LOG.error(
                    "chat template missing beside={}: chats are counted as JSON, and outputs with reasoning or tool calls as"
                            + " plain text, see texts_approximate. Put the model's chat_template.jinja there.",
                    chat.folder());
        }
    }

    /**
     * Logs that a template failed on a text.
     *
     * @param template where the template comes from
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

    /** Logs that a cut in a long text may have changed its tokens. */
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
