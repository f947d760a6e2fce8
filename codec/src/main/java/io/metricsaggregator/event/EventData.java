package io.metricsaggregator.event;

/** The {@code data} of an event record. Each kind is an array on the wire, its tag first. */
public sealed interface EventData permits TextModelOutput, PromptData, ErrorData, PhaseData {

    /** The tag: the first element of the array, which names the kind. */
    String tag();

    /** Calls the method of {@code visitor} for this kind of data. */
    <X extends Exception> void accept(Visitor<X> visitor) throws X;

    /**
     * One method for each kind of data.
     *
     * @param <X> what the methods may throw
     */
    interface Visitor<X extends Exception> {
        void output(TextModelOutput output) throws X;

        void prompt(PromptData prompt) throws X;

        void error(ErrorData error) throws X;

        void phase(PhaseData phase) throws X;
    }
}
