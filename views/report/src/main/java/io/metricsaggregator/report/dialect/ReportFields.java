package io.metricsaggregator.report.dialect;

import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.TreeWriter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records in the JSON report: with the keys, values and order of the snapshot, but for {@link #EXCEPTIONS}. A field that a record gains is in the
 * report without a line here.
 */
final class ReportFields {
    /**
     * What the report has in place of a field of the snapshot: each line starts with a record, followed by fields with their keys in the report, of
     * which there may be none. The caller gives values of derived keys; the first of the other keys has the field's value, in milliseconds if it
     * ends with {@code _ms}; keys that are left are null unless a later field has them.
     */
    private static final Map<String, Map<String, List<String>>> EXCEPTIONS = parse("""
            outage        from_wall_ns=from to_wall_ns=to,duration_s
            worker        seq_gaps= seq_lost=records_lost seq_repeated= seq_unknown_start=records_before_first seq_restarts=restarts
            error         message=first_message first_ns= last_ns=
            progress      slow_ns= stalled_ns=stalled_ns,interrupted_by
            stall         start_ns= from_event_ns= to_event_ns=
            label         issued=value,issued completed=completed,succeeded isl_tokens=input_tokens osl_tokens=output_tokens
            label         latency_ns=latency_ms ttft_ns=ttft_ms,tpot_ms,good tpot_ns=tpot_ms
            turns         from=turn to= latency_ns=latency_ms ttft_ns=ttft_ms isl=isl_mean osl=osl_mean
            turns         cache_prompt_tokens= cache_hit_tokens= cache_hit_ratio=cached_share
            conversations per_s=per_s,cache_hit_ratio
            usage         by_client=by_client,missing,rejected cache_prompt_tokens= cache_hit_tokens=
            usage         cache_hit_ratio=cache_hit_ratio,acceptance_ratio,acceptance_length,spec_histogram,acceptance_by_position,spec_histogram_rejected
            usage         spec_reported= spec_drafts= spec_draft_tokens= spec_accepted_tokens=
            mismatch      reported_tokens= counted_tokens=
            server_times  failed=failed,rejected by_ttft=
            parts         ttft_ns=ttft_ms queue_ns=queue_ms prefill_ns=prefill_ms kv_transfer_ns=kv_transfer_ms outside_ns=outside_ms
            energy        from_wall_ns= by_gpu=devices by_zone=
            device        id=id,scope power_w=
            steady        since_ns= shift_pct=shift_pct,window summary= superpass_size=super_passes not_judged=
            steady        status= verdict= anomaly_pct= compat= compat_live= ours=
            window        super_passes= sample_latency_ns=sample_latency_ns,super_passes,delta_pct
            super_passes  superpass_size=superpass_size,not_judged
            """);

    private ReportFields() {}

    private static Map<String, Map<String, List<String>>> parse(String lines) {
        Map<String, Map<String, List<String>>> rules = new HashMap<>();
        lines.lines().forEach(line -> {
            String[] words = line.split(" +", -1);
            for (int i = 1; i < words.length; i++) {
                int at = words[i].indexOf('=');
                String keys = words[i].substring(at + 1);
                rules.computeIfAbsent(words[0], record -> new HashMap<>())
                        .put(words[i].substring(0, at), keys.isEmpty() ? List.of() : List.of(keys.split(",", -1)));
            }
        });
        return rules;
    }

    /**
     * The fields of a record.
     *
     * @param record its name in {@link #EXCEPTIONS}
     * @param derived keys, each followed by its value, which counts instead of the field's
     */
    static <T> Map<String, @Nullable Object> of(
            String record, T value, Fields.Shape<T> shape, @Nullable Object... derived) {
        Map<@Nullable Object, @Nullable Object> given = new HashMap<>();
        for (int i = 0; i < derived.length; i += 2) {
            given.put(derived[i], derived[i + 1]);
        }
        Map<String, List<String>> rules = EXCEPTIONS.getOrDefault(record, Map.of());
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        TreeWriter.tree(value, shape).forEach((field, tree) -> {
            boolean left = true;
            for (String key : rules.getOrDefault(field, List.of(field))) {
                if (given.containsKey(key)) {
                    report.put(key, given.get(key));
                } else if (left) {
                    report.put(key, key.endsWith("_ms") ? millis(tree) : tree);
                    left = false;
                } else {
                    report.putIfAbsent(key, null);
                }
            }
        });
        return report;
    }

    /** The fields of records without derived ones. */
    static <T> List<Map<String, @Nullable Object>> all(String record, List<T> values, Fields.Shape<T> shape) {
        return values.stream().map(each -> of(record, each, shape)).toList();
    }

    /** Nanoseconds as milliseconds, also those of a distribution. */
    private static @Nullable Object millis(@Nullable Object nanos) {
        if (nanos instanceof Map<?, ?> distribution) {
            Map<Object, @Nullable Object> each = new LinkedHashMap<>(distribution);
            each.replaceAll((key, value) -> key.equals("count") ? value : millis(value));
            return each;
        }
        return nanos instanceof Number number ? (Object) (number.doubleValue() / 1e6) : nanos;
    }
}
