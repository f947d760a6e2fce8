package io.metricsaggregator.template;

/**
 * A template cannot be parsed, or failed while it was rendered, by its own {@code raise_exception} too. The message is cut at some
 * hundred characters, because a template can make it as long as it likes. Has no stack trace.
 */
public final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_MAX = 400;

    /** An error; {@code message} is cut where it is long. */
    public TemplateException(String message) {
        super(message.length() <= SHOWN_MAX ? message : message.substring(0, SHOWN_MAX) + "…", null, false, false);
    }
}
