package io.metricsaggregator.transport.zmtp;

/** A channel's handler: the attachment of its selection key. Called on the thread that polls. */
interface Selectable {

    /** The selector found the channel ready for at least one operation of its interest set. */
    void onSelected();
}
