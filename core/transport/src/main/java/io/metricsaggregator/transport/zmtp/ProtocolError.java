package io.metricsaggregator.transport.zmtp;

/** The reason for closing a connection: a violation by the peer. The text is a clause for a log line. */
enum ProtocolError {
    NOT_ZMTP("its greeting is not that of ZMTP 3"),
    OLD_VERSION("it speaks a version of ZMTP before 3.0"),
    OTHER_MECHANISM("it uses another security mechanism than NULL"),
    NOT_READY("its first command is not READY"),
    WRONG_SOCKET_TYPE("its socket type does not match this one"),
    REFUSED("it answered with an ERROR command"),
    BAD_FLAGS("a frame has flags that ZMTP does not define"),
    FRAME_TOO_LARGE("a frame declares more bytes than allowed"),
    BAD_COMMAND("a command is malformed"),
    TOO_MANY_SUBSCRIPTIONS("it holds too many subscriptions, or too long ones"),
    UNEXPECTED_MESSAGE("it sent a message to a socket that receives none"),
    CONTROL_FLOOD("it sends commands and does not read the answers"),
    NO_MEMORY("the receive budget is exhausted");

    private final String text;

    ProtocolError(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
