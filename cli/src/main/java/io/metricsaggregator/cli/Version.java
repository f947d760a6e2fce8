package io.metricsaggregator.cli;

import picocli.CommandLine;

/** The version of this build. */
final class Version implements CommandLine.IVersionProvider {

    /** The version in the jar's manifest; {@code development} if the program runs from classes. */
    static String text() {
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
