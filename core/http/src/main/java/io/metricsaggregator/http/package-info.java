/**
 * HTTP/1.1 listeners for every module that serves requests. One thread of a listener owns its connections; handlers run on it, or on an
 * executor by {@link io.metricsaggregator.http.HttpHandler#on}. Knows nothing of what is served, and shows no type of Netty to its users.
 */
@NullMarked
package io.metricsaggregator.http;

import org.jspecify.annotations.NullMarked;
