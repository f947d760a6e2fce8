package io.metricsaggregator.cli.console;

import picocli.CommandLine;

/** The version of this build. */
public final class Version implements CommandLine.IVersionProvider {
    /** The class that starts this program, for commands that start it again. */
    public static final String MAIN_CLASS = "io.metricsaggregator.cli.Main";

    /** The version in the jar's manifest; {@code development} if the program runs from classes. */
    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "metrics-aggregator " + text(),
            "Java " + Runtime.version() + " on " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
