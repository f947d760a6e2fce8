package io.metricsaggregator.event;

/** The {@code data} of an event record. Each kind is an array on the wire, its tag first. */
public sealed interface EventData permits TextModelOutput, PromptData, ErrorData, PhaseData {

    /** The first element of the array. */
    String tag();
}
