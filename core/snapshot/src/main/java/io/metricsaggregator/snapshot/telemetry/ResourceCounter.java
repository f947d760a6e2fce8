package io.metricsaggregator.snapshot.telemetry;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The byte counters of a node, cumulative since its boot. Loopback interfaces count as {@code net_lo}, all others as {@code net_ext}. */
public enum ResourceCounter {
    DISK_READ("disk_read"),
    DISK_WRITE("disk_write"),
    NET_LO_SENT("net_lo_sent"),
    NET_EXT_SENT("net_ext_sent"),
    NET_LO_RECEIVED("net_lo_recv"),
    NET_EXT_RECEIVED("net_ext_recv");

    private static final Map<String, ResourceCounter> BY_NAME =
            Stream.of(values()).collect(Collectors.toMap(ResourceCounter::bytesName, Function.identity()));

    private final String stem;

    ResourceCounter(String stem) {
        this.stem = stem;
    }

    /** The field of a sample, such as {@code disk_read_bytes}. */
    public String bytesName() {
        return stem + "_bytes";
    }

    /** The field of the same figure in MiB, such as {@code disk_read_mib}. */
    public String mebibytesName() {
        return stem + "_mib";
    }

    /** All counters, these first and in their order. */
    static Set<ResourceCounter> all(Set<ResourceCounter> first) {
        Set<ResourceCounter> all = new LinkedHashSet<>(first);
        all.addAll(List.of(values()));
        return all;
    }

    /** The counter with that {@link #bytesName()}; null for none. */
    static @Nullable ResourceCounter of(String bytesName) {
        return BY_NAME.get(bytesName);
    }
}
