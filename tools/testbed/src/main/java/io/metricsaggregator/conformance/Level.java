package io.metricsaggregator.conformance;

/** The level of a rule. A producer that keeps a level keeps all rules of this level and of those below it. */
public enum Level {
    /** The bytes can be decoded by every peer. */
    WIRE(1, "wire"),
    /** The records of a session and of its samples are complete and in order. */
    LIFE(2, "life"),
    /** Timestamps come from the monotonic clock, unscaled. */
    TIME(3, "time"),
    /** No record is lost without notice. */
    LOSS(4, "loss"),
    /** The extensions of this project: sequence numbers, scheduled times, token usage. */
    OURS(5, "ours");

    private final int number;
    private final String title;

    Level(int number, String title) {
        this.number = number;
        this.title = title;
    }

    /** The number of the level, 1 to 5. */
    public int number() {
        return number;
    }

    /** The name of the level, which is the first part of the names of its rules. */
    public String title() {
        return title;
    }

    /**
     * The level of a number.
     *
     * @throws IllegalArgumentException if it is not between 1 and 5
     */
    public static Level of(int number) {
        for (Level level : values()) {
            if (level.number == number) {
                return level;
            }
        }
        throw new IllegalArgumentException("level " + number + " is not between 1 and 5");
    }
}
