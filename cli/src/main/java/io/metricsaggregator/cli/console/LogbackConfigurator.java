package io.metricsaggregator.cli.console;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.ServiceLoader;

/** Configures logging as in this program where logback makes its own loggers: in programs that only have this jar on their class path. */
public final class LogbackConfigurator extends ContextAwareBase implements Configurator {
    /** Called by logback, which finds this class through {@link ServiceLoader}. */
    public LogbackConfigurator() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        Logging.configure(context);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
