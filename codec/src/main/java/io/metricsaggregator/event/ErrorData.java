package io.metricsaggregator.event;

/**
 * The {@code data} of an error event.
 *
 * @param errorType a class of errors, such as an exception's name
 * @param errorMessage the message of this error
 */
public record ErrorData(String errorType, String errorMessage) implements EventData {

    /** The tag: the first element of the array on the wire. */
    public static final String TAG = "ErrorData";

    @Override
    public <X extends Exception> void accept(Visitor<X> visitor) throws X {
        visitor.error(this);
    }

    @Override
    public String tag() {
        return TAG;
    }
}
