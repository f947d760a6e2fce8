package io.metricsaggregator.event;

/**
 * What went wrong.
 *
 * @param errorType a class of errors, such as an exception's name
 * @param errorMessage this one's text
 */
public record ErrorData(String errorType, String errorMessage) implements EventData {

    /** The first element on the wire. */
    public static final String TAG = "ErrorData";

    @Override
    public String tag() {
        return TAG;
    }
}
