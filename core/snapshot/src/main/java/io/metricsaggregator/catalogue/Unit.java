package io.metricsaggregator.catalogue;

/** The unit of a counter or series. A name in nanoseconds ends with {@code _ns}; the other units have no suffix. */
public enum Unit {
    COUNT("count"),
    BYTES("bytes"),
    NANOSECONDS("ns"),
    TOKENS("tokens"),
    TOKENS_PER_SECOND("tok/s"),
    TURNS("turns");

    private static final String NANOSECONDS_SUFFIX = "_ns";

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    /** The unit in documents, such as {@code "ns"}. */
    public String symbol() {
        return symbol;
    }

    /** Whether a counter or series of that name, which need not be in the catalogue, holds nanoseconds. */
    public static boolean isNanoseconds(String wire) {
        return wire.endsWith(NANOSECONDS_SUFFIX);
    }

    /** The name without the suffix {@code _ns}; unchanged if it has none. */
    public static String withoutSuffix(String wire) {
        return isNanoseconds(wire) ? wire.substring(0, wire.length() - NANOSECONDS_SUFFIX.length()) : wire;
    }
}
