package io.metricsaggregator.cli.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.collect.UrlSecrets;
import io.metricsaggregator.options.Messages;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Connects SLF4J with logback, which is configured in code: to standard error, one line per event, on a thread of its own. If standard
 * error blocks, events are dropped and counted, and no other thread waits. Logback's own connection would search all jars for a
 * configuration and compare versions at each start.
 */
public final class Logging implements SLF4JServiceProvider {
    private static final int MESSAGE_MAX = 2000;
    private static final String FORMAT = "--log-format";

    /** Written by the thread that parses the options, read by the one that writes lines. */
    private static volatile boolean json;

    private final LoggerContext loggers = new LoggerContext();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final LogbackMDCAdapter diagnostics = new LogbackMDCAdapter();

    /** Called by SLF4J, which is told the name of this class by {@link #install}. */
    public Logging() {}

    /** Makes SLF4J log through this class; has no effect after the first logger was made. */
    public static void install() {
        System.setProperty(LoggerFactory.PROVIDER_PROPERTY_KEY, Logging.class.getName());
        // Else it prints a line that says so.
        System.setProperty("slf4j.internal.verbosity", "WARN");
    }

    @Override
    public void initialize() {
        loggers.setMDCAdapter(diagnostics);
        configure(loggers);
        loggers.start();
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return loggers;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return diagnostics;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0";
    }

    /** Adds the appender and the levels to loggers of logback. */
    static void configure(LoggerContext context) {
        AtomicLong lost = new AtomicLong();
        Lines lines = new Lines(() -> lost.getAndSet(0));
        lines.setContext(context);
        lines.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(lines);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setTarget("System.err");
        console.setEncoder(encoder);
        console.start();
        BoundedAppender bounded = new BoundedAppender(console, lost);
        bounded.setContext(context);
        bounded.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        // Below warnings it logs only where it found its native library.
        context.getLogger("ai.djl").setLevel(Level.WARN);
        root.addAppender(bounded);
    }

    /** Logs events of this level and above. Details come from this program's own loggers only. */
    public static void level(Level level) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            boolean details = level.equals(Level.DEBUG);
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(details ? Level.INFO : level);
            context.getLogger("io.metricsaggregator").setLevel(details ? Level.DEBUG : null);
        }
    }

    /** Whether lines are JSON objects from now on, rather than text. */
    static void json(boolean on) {
        // Loads the classes of JSON now: the thread that writes lines has half a second when a short command ends.
        JsonTree.writeLine(Map.of());
        json = on;
    }

    /**
     * Makes lines JSON objects if arguments ask for them, before they are parsed: an error of parsing is to have the format, too. The last of
     * several counts.
     *
     * @param otherwise the format of the environment, used without such an argument; null for none
     */
    public static void format(List<String> arguments, @Nullable String otherwise) {
        String format = otherwise;
        for (int i = 0; i < arguments.size() && !arguments.get(i).equals("--"); i++) {
            String argument = arguments.get(i);
            if (argument.startsWith(FORMAT + "=")) {
                format = argument.substring(FORMAT.length() + 1);
            } else if (argument.equals(FORMAT) && i + 1 < arguments.size()) {
                format = arguments.get(i + 1);
            }
        }
        if (format != null) {
            json(format.strip().equalsIgnoreCase("json"));
        }
    }

    /** Whether lines on standard error are JSON objects. */
    static boolean isJson() {
        return json;
    }

    /** Whether events of level DEBUG are logged. */
    static boolean isVerbose() {
        return LoggerFactory.getLogger("io.metricsaggregator").isDebugEnabled();
    }

    /** Writes the queued lines; waits at most half a second. */
    public static void flush() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.stop();
        }
    }

    /** {@code 2026-01-31T12:00:00.000Z WARN  Ingest: text}, control characters escaped. */
    static final class Lines extends LayoutBase<ILoggingEvent> {
        private final LongSupplier lost;

        /**
         * Lines with a notice wherever events were dropped.
         *
         * @param lost returns the number of events dropped since its last call
         */
        Lines(LongSupplier lost) {
            this.lost = lost;
        }

        @Override
        public String doLayout(ILoggingEvent event) {
            StringBuilder line = new StringBuilder(128);
            long missing = lost.getAsLong();
            String gap = "log lines lost count=" + missing + ": standard error was not read fast enough";
            if (json) {
                return (missing > 0
                                ? JsonLogLine.of(event.getTimeStamp(), "WARN", "Logging", gap, Map.of("count", missing))
                                : "")
                        + JsonLogLine.of(event);
            }
            if (missing > 0) {
                head(line, event, "WARN", "Logging");
                line.append(gap).append('\n');
            }
            String logger = event.getLoggerName();
            head(line, event, event.getLevel().toString(), logger.substring(logger.lastIndexOf('.') + 1));
            line.append(Printable.escape(Messages.plain(String.valueOf(event.getFormattedMessage())), MESSAGE_MAX));
            line.append('\n');
            if (event.getThrowableProxy() != null) {
                ThrowableProxyUtil.asString(event.getThrowableProxy())
                        .lines()
                        .forEach(part -> line.append("    ")
                                .append(Printable.escape(UrlSecrets.mask(part.replace('\t', ' ')), MESSAGE_MAX))
                                .append('\n'));
            }
            return line.toString();
        }

        private static void head(StringBuilder line, ILoggingEvent event, String level, String logger) {
            line.append(Instant.ofEpochMilli(event.getTimeStamp()).truncatedTo(ChronoUnit.MILLIS))
                    .append(String.format(" %-5s ", level))
                    .append(logger)
                    .append(": ");
        }
    }
}
