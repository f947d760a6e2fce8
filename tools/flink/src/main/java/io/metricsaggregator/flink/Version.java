package io.metricsaggregator.flink;

/** The version of this build. */
final class Version {
    private Version() {}

    /** The version in the jar's manifest; {@code development} if the program runs from classes. */
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
