package io.metricsaggregator.cli.console;

import ch.qos.logback.classic.Level;
import io.metricsaggregator.options.OptionGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Level and format of the log on standard error, for every command. An option takes effect when it is parsed. */
@OptionGroup.In(OptionGroup.LOGGING)
public final class LoggingOptions {
    /** The least severe level that is logged. */
    enum LogLevel {
        ERROR(Level.ERROR),
        WARN(Level.WARN),
        INFO(Level.INFO),
        DEBUG(Level.DEBUG);

        @SuppressWarnings("ImmutableEnumChecker") // Level is immutable, without an annotation that says so
        private final Level level;

        LogLevel(Level level) {
            this.level = level;
        }
    }

    /** The form of a log line: plain text, or one JSON object. */
    enum LogFormat {
        TEXT,
        JSON
    }

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Log details; same as --log-level debug.")
    void verbose(boolean on) {
        if (on) {
            Logging.level(Level.DEBUG);
        }
    }

    @Option(
            names = {"-q", "--quiet"},
            scope = ScopeType.INHERIT,
            description = "Log only warnings and errors; same as --log-level warn.")
    void quiet(boolean on) {
        if (on) {
            Logging.level(Level.WARN);
        }
    }

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            scope = ScopeType.INHERIT,
            description = "Minimum level of log events: error, warn, info or debug. Default: info.")
    void level(LogLevel wanted) {
        Logging.level(wanted.level);
    }

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            scope = ScopeType.INHERIT,
            description =
                    "Format of a log line: text, or json (an object with time, level, logger, message, exception, and the"
                            + " figures of the message). Default: text.")
    void format(LogFormat wanted) {
        Logging.json(wanted == LogFormat.JSON);
    }
}
