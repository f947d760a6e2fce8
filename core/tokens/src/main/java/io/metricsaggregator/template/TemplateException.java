package io.metricsaggregator.template;

/**
 * Reports that a template cannot be parsed or that its rendering failed, which includes {@code raise_exception}. The message is truncated
 * to some hundred characters, because a template controls its length. Has no stack trace.
 */
public final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_MAX = 400;

    /** Creates an exception; a long {@code message} is truncated. */
    public TemplateException(String message) {
        super(message.length() <= SHOWN_MAX ? message : message.substring(0, SHOWN_MAX) + "…", null, false, false);
    }
}
