package io.metricsaggregator.event;

/** The {@code data} of an event record. Each kind is an array on the wire, its tag first. */
public sealed interface EventData permits TextModelOutput, PromptData, ErrorData, PhaseData {

    /** The tag: the first element of the array, which names the kind. */
    String tag();
}
