package io.metricsaggregator.template;

/** A template that cannot be parsed, or that failed while it was rendered: also by its own {@code raise_exception}. */
public final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TemplateException(String message) {
        super(message, null, false, false);
    }
}
