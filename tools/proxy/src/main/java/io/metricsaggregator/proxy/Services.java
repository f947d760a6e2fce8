package io.metricsaggregator.proxy;

/**
 * What the connections of a proxy share; each part is thread-safe.
 *
 * @param bodies memory for bodies that are read whole
 */
record Services(
        ProxySettings settings,
        Upstream upstream,
        Samples samples,
        ProxyCounts counts,
        Deadlines deadlines,
        BodyBudget bodies) {}
