package io.metricsaggregator.cli;

import ch.qos.logback.classic.Level;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** How much every command logs on standard error, and in which form. Takes effect when the option is parsed. */
final class LoggingOptions {
    enum LogLevel {
        ERROR(Level.ERROR),
        WARN(Level.WARN),
        INFO(Level.INFO),
        DEBUG(Level.DEBUG);

        private final Level level;

        LogLevel(Level level) {
            this.level = level;
        }
    }

    enum LogFormat {
        TEXT,
        JSON
    }

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Log details: --log-level debug.")
    void verbose(boolean on) {
        if (on) {
            Logging.level(Level.DEBUG);
        }
    }

    @Option(
            names = {"-q", "--quiet"},
            scope = ScopeType.INHERIT,
            description = "Log only what needs attention: --log-level warn.")
    void quiet(boolean on) {
        if (on) {
            Logging.level(Level.WARN);
        }
    }

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            scope = ScopeType.INHERIT,
            description = "Log events of LEVEL and above: error, warn, info or debug. Default: info.")
    void level(LogLevel wanted) {
        Logging.level(wanted.level);
    }

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            scope = ScopeType.INHERIT,
            description = "Form of a log line: text, or json (an object with time, level, logger, message, exception)."
                    + " Default: text.")
    void format(LogFormat wanted) {
        Logging.json(wanted == LogFormat.JSON);
    }
}
