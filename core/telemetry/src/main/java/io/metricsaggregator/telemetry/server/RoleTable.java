package io.metricsaggregator.telemetry.server;

import io.metricsaggregator.snapshot.telemetry.server.ServerRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The names under which servers expose each role, in the order in which a server's first is taken: vLLM, SGLang, TensorRT-LLM, Triton, Dynamo. Names are
 * those of the engines' documentation and sources as of 2026.
 */
final class RoleTable {
    private static final double MILLI = 1e-3;

    private static final Map<ServerRole, List<RoleAlias>> ALIASES = new EnumMap<>(ServerRole.class);
    private static final Map<String, List<Place>> PLACES = new HashMap<>();

    static {
        load();
        tokens();
        caches();
        speculation();
        times();
        ends();
        transfers();
        others();
        ALIASES.forEach((role, aliases) -> {
            for (RoleAlias alias : aliases) {
                for (int source = 0; source < alias.sources().size(); source++) {
                    for (Piece piece : Piece.values()) {
                        PLACES.computeIfAbsent(
                                        alias.sources().get(source).name() + piece.suffix, any -> new ArrayList<>())
                                .add(new Place(role, alias, source, piece));
                    }
                }
            }
        });
    }

    /** What a series is of its metric. */
    enum Piece {
        /** The metric itself: a gauge or a counter. */
        VALUE(""),
        /** A cumulative bucket of a histogram. */
        BUCKET("_bucket"),
        /** The sum of a histogram's values. */
        SUM("_sum"),
        /** The number of a histogram's values. */
        COUNT("_count");

        private final String suffix;

        Piece(String suffix) {
            this.suffix = suffix;
        }
    }

    /**
     * Where a series of some name belongs.
     *
     * @param source index of the alias's source
     */
    record Place(ServerRole role, RoleAlias alias, int source, Piece piece) {}

    private RoleTable() {}

    /** The ways in which a role is exposed, the preferred first. */
    static List<RoleAlias> aliases(ServerRole role) {
        return ALIASES.getOrDefault(role, List.of());
    }

    /** Where series of that name belong; empty if no role has it. */
    static List<Place> places(String name) {
        return PLACES.getOrDefault(name, List.of());
    }

    private static void add(ServerRole role, String engine, SeriesSource... sources) {
        ALIASES.computeIfAbsent(role, each -> new ArrayList<>()).add(new RoleAlias(engine, List.of(sources), false));
    }

    private static void vllm(ServerRole role, SeriesSource... sources) {
        add(role, "vllm", prefixed("vllm:", sources));
    }

    private static void sglang(ServerRole role, SeriesSource... sources) {
        add(role, "sglang", prefixed("sglang:", sources));
    }

    /** TensorRT-LLM's prefix was {@code trtllm:} once. */
    private static void trtllm(ServerRole role, SeriesSource... sources) {
        add(role, "trtllm", prefixed("trtllm_", sources));
        add(role, "trtllm", prefixed("trtllm:", sources));
    }

    private static void dynamo(ServerRole role, SeriesSource... sources) {
        add(role, RoleAlias.FRONTEND, prefixed("dynamo_", sources));
    }

    private static void triton(ServerRole role, SeriesSource... sources) {
        add(role, "triton", prefixed("nv_", sources));
    }

    private static SeriesSource[] prefixed(String prefix, SeriesSource... sources) {
        return Arrays.stream(sources)
                .map(each -> new SeriesSource(
                        prefix + each.name(),
                        each.scale(),
                        each.label(),
                        each.values(),
                        each.except(),
                        each.partLabel(),
                        each.part()))
                .toArray(SeriesSource[]::new);
    }

    private static void load() {
        vllm(ServerRole.RUNNING, SeriesSource.of("num_requests_running"));
        sglang(ServerRole.RUNNING, SeriesSource.of("num_running_reqs"));
        trtllm(ServerRole.RUNNING, SeriesSource.of("num_requests_running"));
        triton(ServerRole.RUNNING, SeriesSource.of("trt_llm_request_metrics").where("request_type", "scheduled"));
        triton(ServerRole.RUNNING, SeriesSource.of("trt_llm_request_metrics").where("request_type", "active"));
        dynamo(ServerRole.RUNNING, SeriesSource.of("frontend_inflight_requests"));

        vllm(ServerRole.WAITING, SeriesSource.of("num_requests_waiting"));
        sglang(ServerRole.WAITING, SeriesSource.of("num_queue_reqs"));
        trtllm(ServerRole.WAITING, SeriesSource.of("num_requests_waiting"));
        triton(ServerRole.WAITING, SeriesSource.of("trt_llm_request_metrics").where("request_type", "waiting"));
        triton(ServerRole.WAITING, SeriesSource.of("inference_pending_request_count"));
        dynamo(ServerRole.WAITING, SeriesSource.of("frontend_queued_requests"));
        dynamo(ServerRole.WAITING, SeriesSource.of("frontend_router_queue_pending_requests"));
        vllm(
                ServerRole.WAITING_BY_REASON,
                SeriesSource.of("num_requests_waiting_by_reason").by("reason"));

        vllm(ServerRole.PREEMPTIONS, SeriesSource.of("num_preemptions_total"));
        sglang(ServerRole.PREEMPTIONS, SeriesSource.of("num_retracted_requests_total"));
        sglang(ServerRole.PREEMPTIONS, SeriesSource.of("num_retracted_reqs"));
        trtllm(ServerRole.PREEMPTIONS, SeriesSource.of("num_paused_requests"));
        triton(
                ServerRole.PREEMPTIONS,
                SeriesSource.of("trt_llm_inflight_batcher_metrics")
                        .where("inflight_batcher_specific_metric", "paused_requests"));
    }

    private static void tokens() {
        vllm(ServerRole.PROMPT_TOKENS, SeriesSource.of("prompt_tokens_total"));
        sglang(ServerRole.PROMPT_TOKENS, SeriesSource.of("prompt_tokens_total"));
        trtllm(ServerRole.PROMPT_TOKENS, SeriesSource.of("prompt_tokens_total"));
        dynamo(ServerRole.PROMPT_TOKENS, SeriesSource.of("frontend_input_sequence_tokens_sum"));

        vllm(ServerRole.OUTPUT_TOKENS, SeriesSource.of("generation_tokens_total"));
        sglang(ServerRole.OUTPUT_TOKENS, SeriesSource.of("generation_tokens_total"));
        trtllm(ServerRole.OUTPUT_TOKENS, SeriesSource.of("generation_tokens_total"));
        dynamo(ServerRole.OUTPUT_TOKENS, SeriesSource.of("frontend_output_tokens_total"));

        SeriesSource bySource = SeriesSource.of("prompt_tokens_by_source_total");
        vllm(ServerRole.CACHED_PROMPT_TOKENS, SeriesSource.of("prompt_tokens_cached_total"));
        vllm(ServerRole.CACHED_PROMPT_TOKENS, bySource.where("source", "local_cache_hit", "external_kv_transfer"));
        sglang(ServerRole.CACHED_PROMPT_TOKENS, SeriesSource.of("cached_tokens_total"));
        trtllm(ServerRole.CACHED_PROMPT_TOKENS, SeriesSource.of("prompt_cached_tokens_total"));
        dynamo(ServerRole.CACHED_PROMPT_TOKENS, SeriesSource.of("frontend_cached_tokens_sum"));

        vllm(ServerRole.PROMPT_TOKENS_BY_SOURCE, bySource.by("source"));
        sglang(
                ServerRole.PROMPT_TOKENS_BY_SOURCE,
                SeriesSource.of("cached_tokens_total").by("cache_source"));
    }

    private static void caches() {
        vllm(ServerRole.KV_USAGE, SeriesSource.of("kv_cache_usage_perc"));
        vllm(ServerRole.KV_USAGE, SeriesSource.of("gpu_cache_usage_perc"));
        sglang(ServerRole.KV_USAGE, SeriesSource.of("token_usage"));
        trtllm(ServerRole.KV_USAGE, SeriesSource.of("kv_cache_utilization"));
        for (String prefix : List.of("trtllm_", "trtllm:")) {
            quotient(
                    "trtllm",
                    SeriesSource.of(prefix + "kv_cache_used_blocks"),
                    SeriesSource.of(prefix + "kv_cache_max_blocks"));
        }
        SeriesSource blocks = SeriesSource.of("nv_trt_llm_kv_cache_block_metrics");
        add(ServerRole.KV_USAGE, "triton", blocks.where("kv_cache_block_type", "fraction"));
        quotient("triton", blocks.where("kv_cache_block_type", "used"), blocks.where("kv_cache_block_type", "max"));
        dynamo(ServerRole.KV_USAGE, SeriesSource.of("component_kvstats_gpu_cache_usage_percent"));

        vllm(ServerRole.PREFIX_QUERIES, SeriesSource.of("prefix_cache_queries_total"));
        vllm(ServerRole.PREFIX_QUERIES, SeriesSource.of("gpu_prefix_cache_queries_total"));
        trtllm(
                ServerRole.PREFIX_QUERIES,
                SeriesSource.of("kv_cache_reused_blocks_total"),
                SeriesSource.of("kv_cache_missed_blocks_total"));
        vllm(ServerRole.PREFIX_HITS, SeriesSource.of("prefix_cache_hits_total"));
        vllm(ServerRole.PREFIX_HITS, SeriesSource.of("gpu_prefix_cache_hits_total"));
        trtllm(ServerRole.PREFIX_HITS, SeriesSource.of("kv_cache_reused_blocks_total"));
        vllm(ServerRole.PREFIX_HIT_RATE, SeriesSource.of("gpu_prefix_cache_hit_rate"));
        sglang(ServerRole.PREFIX_HIT_RATE, SeriesSource.of("cache_hit_rate"));
        trtllm(ServerRole.PREFIX_HIT_RATE, SeriesSource.of("kv_cache_hit_rate"));
        dynamo(ServerRole.PREFIX_HIT_RATE, SeriesSource.of("component_kvstats_gpu_prefix_cache_hit_rate"));
        vllm(ServerRole.EXTERNAL_PREFIX_QUERIES, SeriesSource.of("external_prefix_cache_queries_total"));
        vllm(ServerRole.EXTERNAL_PREFIX_HITS, SeriesSource.of("external_prefix_cache_hits_total"));
    }

    private static void quotient(String engine, SeriesSource dividend, SeriesSource divisor) {
        ALIASES.computeIfAbsent(ServerRole.KV_USAGE, each -> new ArrayList<>())
                .add(new RoleAlias(engine, List.of(dividend, divisor), true));
    }

    private static void speculation() {
        vllm(ServerRole.DRAFTS, SeriesSource.of("spec_decode_num_drafts_total"));
        vllm(ServerRole.DRAFT_TOKENS, SeriesSource.of("spec_decode_num_draft_tokens_total"));
        trtllm(ServerRole.DRAFT_TOKENS, SeriesSource.of("spec_decode_num_draft_tokens_total"));
        vllm(ServerRole.ACCEPTED_TOKENS, SeriesSource.of("spec_decode_num_accepted_tokens_total"));
        trtllm(ServerRole.ACCEPTED_TOKENS, SeriesSource.of("spec_decode_num_accepted_tokens_total"));
        vllm(
                ServerRole.ACCEPTED_BY_POSITION,
                SeriesSource.of("spec_decode_num_accepted_tokens_per_pos_total").by("position"));
        sglang(ServerRole.VERIFY_CALLS, SeriesSource.of("spec_verify_calls_total"));
        sglang(ServerRole.ACCEPT_LENGTH_GAUGE, SeriesSource.of("spec_accept_length"));
        trtllm(ServerRole.ACCEPT_LENGTH_GAUGE, SeriesSource.of("spec_decode_acceptance_length"));
        sglang(ServerRole.ACCEPT_RATE_GAUGE, SeriesSource.of("spec_accept_rate"));
    }

    private static void times() {
        vllm(ServerRole.QUEUE, SeriesSource.of("request_queue_time_seconds"));
        sglang(ServerRole.QUEUE, SeriesSource.of("queue_time_seconds"));
        trtllm(ServerRole.QUEUE, SeriesSource.of("request_queue_time_seconds"));
        SeriesSource stages = SeriesSource.of("per_stage_req_latency_seconds");
        vllm(ServerRole.PREFILL, SeriesSource.of("request_prefill_time_seconds"));
        sglang(ServerRole.PREFILL, stages.where("stage", "prefill_forward"));
        trtllm(ServerRole.PREFILL, SeriesSource.of("request_prefill_time_seconds"));
        vllm(ServerRole.DECODE, SeriesSource.of("request_decode_time_seconds"));
        sglang(ServerRole.DECODE, stages.where("stage", "decode_forward"));
        trtllm(ServerRole.DECODE, SeriesSource.of("request_decode_time_seconds"));

        vllm(ServerRole.TTFT, SeriesSource.of("time_to_first_token_seconds"));
        sglang(ServerRole.TTFT, SeriesSource.of("time_to_first_token_seconds"));
        trtllm(ServerRole.TTFT, SeriesSource.of("time_to_first_token_seconds"));
        triton(
                ServerRole.TTFT,
                SeriesSource.of("inference_first_response_histogram_ms").scaled(MILLI));
        dynamo(ServerRole.TTFT, SeriesSource.of("frontend_time_to_first_token_seconds"));
        vllm(ServerRole.ITL, SeriesSource.of("inter_token_latency_seconds"));
        vllm(ServerRole.ITL, SeriesSource.of("time_per_output_token_seconds"));
        sglang(ServerRole.ITL, SeriesSource.of("inter_token_latency_seconds"));
        trtllm(ServerRole.ITL, SeriesSource.of("time_per_output_token_seconds"));
        dynamo(ServerRole.ITL, SeriesSource.of("frontend_inter_token_latency_seconds"));
        vllm(ServerRole.E2E, SeriesSource.of("e2e_request_latency_seconds"));
        sglang(ServerRole.E2E, SeriesSource.of("e2e_request_latency_seconds"));
        trtllm(ServerRole.E2E, SeriesSource.of("e2e_request_latency_seconds"));
        dynamo(ServerRole.E2E, SeriesSource.of("frontend_request_duration_seconds"));
    }

    private static void ends() {
        SeriesSource finished = SeriesSource.of("request_success_total");
        vllm(ServerRole.DONE, finished.whereNot("finished_reason", "abort", "error"));
        sglang(ServerRole.DONE, SeriesSource.of("num_requests_total"));
        trtllm(ServerRole.DONE, finished);
        triton(ServerRole.DONE, SeriesSource.of("inference_request_success"));
        dynamo(ServerRole.DONE, SeriesSource.of("frontend_requests_total").where("status", "success"));
        vllm(ServerRole.ABORTED, finished.where("finished_reason", "abort", "error"));
        sglang(ServerRole.ABORTED, SeriesSource.of("num_aborted_requests_total"));
        trtllm(ServerRole.ABORTED, SeriesSource.of("request_error_total"));
        triton(ServerRole.ABORTED, SeriesSource.of("inference_request_failure"));
        dynamo(ServerRole.ABORTED, SeriesSource.of("frontend_requests_total").whereNot("status", "success"));
    }

    private static void transfers() {
        vllm(ServerRole.KV_TRANSFER, SeriesSource.of("nixl_xfer_time_seconds"));
        sglang(ServerRole.KV_TRANSFER, SeriesSource.of("kv_transfer_latency_ms").scaled(MILLI));
        sglang(ServerRole.KV_TRANSFER_SPEED, SeriesSource.of("kv_transfer_speed_gb_s"));
        trtllm(ServerRole.KV_ONBOARD_BYTES, SeriesSource.of("kv_cache_onboard_bytes_total"));
        trtllm(ServerRole.KV_OFFLOAD_BYTES, SeriesSource.of("kv_cache_offload_bytes_total"));
        List<SeriesSource> moved = new ArrayList<>();
        for (String direction : List.of("offload", "onboard")) {
            for (String storage : List.of("d2h", "h2d", "d2d")) {
                moved.add(SeriesSource.of("kvbm_" + direction + "_blocks_" + storage)
                        .as(direction + "_" + storage));
            }
        }
        add(ServerRole.KV_BLOCKS, RoleAlias.FRONTEND, moved.toArray(SeriesSource[]::new));
        add(ServerRole.KV_MATCHED_TOKENS, RoleAlias.FRONTEND, SeriesSource.of("kvbm_matched_tokens"));
    }

    private static void others() {
        vllm(ServerRole.ITERATION_TOKENS, SeriesSource.of("iteration_tokens_total"));
        trtllm(ServerRole.ITERATION, SeriesSource.of("iteration_latency_seconds"));
        sglang(ServerRole.UTILIZATION, SeriesSource.of("utilization"));
        sglang(ServerRole.FORWARD_OCCUPANCY, SeriesSource.of("fwd_occupancy"));
        vllm(ServerRole.SLEEP_STATE, SeriesSource.of("engine_sleep_state").by("sleep_state"));
        dynamo(ServerRole.MIGRATIONS, SeriesSource.of("frontend_model_migration_total"));
    }
}
