package io.metricsaggregator.cli;

import picocli.CommandLine;

/** The version this was built as. */
final class Version implements CommandLine.IVersionProvider {

    /** From the jar's manifest; a build that runs from classes has none. */
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
