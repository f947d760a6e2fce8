package io.metricsaggregator.proxy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What a proxy counts while it runs. Thread-safe. */
final class ProxyCounts {
    final AtomicInteger open = new AtomicInteger();
    final LongAdder connections = new LongAdder();
    final LongAdder overLimit = new LongAdder();
    final LongAdder measured = new LongAdder();
    final LongAdder other = new LongAdder();
    final LongAdder succeeded = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder cancelled = new LongAdder();
    final LongAdder outsideSession = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder upstreamFailed = new LongAdder();
    final LongAdder unread = new LongAdder();
    final LongAdder chunksUnknown = new LongAdder();
    final LongAdder usageRejected = new LongAdder();
    final LongAdder connectLate = new LongAdder();
    final LongAdder redirects = new LongAdder();
    final LongAdder recordsDropped = new LongAdder();
    final DelayHistogram forward = new DelayHistogram();

    ProxyStatus status() {
        return new ProxyStatus(
                open.get(),
                connections.sum(),
                overLimit.sum(),
                measured.sum(),
                other.sum(),
                succeeded.sum(),
                failed.sum(),
                cancelled.sum(),
                outsideSession.sum(),
                refused.sum(),
                upstreamFailed.sum(),
                unread.sum(),
                chunksUnknown.sum(),
                usageRejected.sum(),
                connectLate.sum(),
                redirects.sum(),
                recordsDropped.sum(),
                forward.count(),
                forward.quantile(0.5),
                forward.quantile(0.99),
                forward.quantile(0.999));
    }
}
