package io.metricsaggregator.daemon;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;

/**
 * Sends what libraries and the JDK log through {@code java.util.logging} to this project's log. Its default is
 * standard error: unescaped text of exporters and collectors, written on the thread that logs, which blocks while the pipe is full.
 */
final class JavaUtilLogging {
    private JavaUtilLogging() {}

    /** Replaces all handlers and levels, those of a configuration file included. */
    static void redirect() {
        LogManager.getLogManager().reset();
        Logger root = Logger.getLogger("");
        root.setLevel(Level.INFO);
        root.addHandler(new ToSlf4j());
    }

    private static final class ToSlf4j extends Handler {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord event) {
            if (!isLoggable(event)) {
                return;
            }
            org.slf4j.Logger log =
                    LoggerFactory.getLogger(event.getLoggerName() == null ? "java" : event.getLoggerName());
            String message = formatter.formatMessage(event);
            if (event.getLevel().intValue() >= Level.SEVERE.intValue()) {
                log.error("{}", message, event.getThrown());
            } else if (event.getLevel().intValue() >= Level.WARNING.intValue()) {
                log.warn("{}", message, event.getThrown());
            } else {
                log.info("{}", message, event.getThrown());
            }
        }

        @Override
        public void flush() {
            // Nothing is held here.
        }

        @Override
        public void close() {
            // Nothing is held here.
        }
    }
}
