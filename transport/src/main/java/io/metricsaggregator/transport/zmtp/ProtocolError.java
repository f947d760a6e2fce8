package io.metricsaggregator.transport.zmtp;

/** Why a connection was given up: something its peer sent. */
enum ProtocolError {
    NOT_ZMTP("its greeting is not that of ZMTP 3"),
    OLD_VERSION("it speaks a version of ZMTP before 3.0"),
    OTHER_MECHANISM("it wants another security mechanism than NULL"),
    NOT_READY("it sent something else than READY to begin with"),
    WRONG_SOCKET_TYPE("its socket type does not match this one"),
    REFUSED("it answered with an ERROR command"),
    BAD_FLAGS("a frame has flags that ZMTP does not define"),
    FRAME_TOO_LARGE("a frame declares more bytes than allowed"),
    BAD_COMMAND("a command is malformed"),
    TOO_MANY_SUBSCRIPTIONS("it holds too many subscriptions, or too long ones"),
    UNEXPECTED_MESSAGE("it sent a message to a socket that takes none"),
    CONTROL_FLOOD("it asks for answers and does not read them"),
    NO_MEMORY("the memory for frames being received is used up");

    private final String text;

    ProtocolError(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
