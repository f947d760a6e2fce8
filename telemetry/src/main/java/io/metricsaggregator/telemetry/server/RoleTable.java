package io.metricsaggregator.telemetry.server;

import static io.metricsaggregator.telemetry.server.SeriesSource.of;

import io.metricsaggregator.snapshot.telemetry.ServerRole;
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
        vllm(ServerRole.RUNNING, of("num_requests_running"));
        sglang(ServerRole.RUNNING, of("num_running_reqs"));
        trtllm(ServerRole.RUNNING, of("num_requests_running"));
        triton(ServerRole.RUNNING, of("trt_llm_request_metrics").where("request_type", "scheduled"));
        triton(ServerRole.RUNNING, of("trt_llm_request_metrics").where("request_type", "active"));
        dynamo(ServerRole.RUNNING, of("frontend_inflight_requests"));

        vllm(ServerRole.WAITING, of("num_requests_waiting"));
        sglang(ServerRole.WAITING, of("num_queue_reqs"));
        trtllm(ServerRole.WAITING, of("num_requests_waiting"));
        triton(ServerRole.WAITING, of("trt_llm_request_metrics").where("request_type", "waiting"));
        triton(ServerRole.WAITING, of("inference_pending_request_count"));
        dynamo(ServerRole.WAITING, of("frontend_queued_requests"));
        dynamo(ServerRole.WAITING, of("frontend_router_queue_pending_requests"));
        vllm(ServerRole.WAITING_BY_REASON, of("num_requests_waiting_by_reason").by("reason"));

        vllm(ServerRole.PREEMPTIONS, of("num_preemptions_total"));
        sglang(ServerRole.PREEMPTIONS, of("num_retracted_requests_total"));
        sglang(ServerRole.PREEMPTIONS, of("num_retracted_reqs"));
        trtllm(ServerRole.PREEMPTIONS, of("num_paused_requests"));
        triton(
                ServerRole.PREEMPTIONS,
                of("trt_llm_inflight_batcher_metrics").where("inflight_batcher_specific_metric", "paused_requests"));
    }

    private static void tokens() {
        vllm(ServerRole.PROMPT_TOKENS, of("prompt_tokens_total"));
        sglang(ServerRole.PROMPT_TOKENS, of("prompt_tokens_total"));
        trtllm(ServerRole.PROMPT_TOKENS, of("prompt_tokens_total"));
        dynamo(ServerRole.PROMPT_TOKENS, of("frontend_input_sequence_tokens_sum"));

        vllm(ServerRole.OUTPUT_TOKENS, of("generation_tokens_total"));
        sglang(ServerRole.OUTPUT_TOKENS, of("generation_tokens_total"));
        trtllm(ServerRole.OUTPUT_TOKENS, of("generation_tokens_total"));
        dynamo(ServerRole.OUTPUT_TOKENS, of("frontend_output_tokens_total"));

        SeriesSource bySource = of("prompt_tokens_by_source_total");
        vllm(ServerRole.CACHED_PROMPT_TOKENS, of("prompt_tokens_cached_total"));
        vllm(ServerRole.CACHED_PROMPT_TOKENS, bySource.where("source", "local_cache_hit", "external_kv_transfer"));
        sglang(ServerRole.CACHED_PROMPT_TOKENS, of("cached_tokens_total"));
        trtllm(ServerRole.CACHED_PROMPT_TOKENS, of("prompt_cached_tokens_total"));
        dynamo(ServerRole.CACHED_PROMPT_TOKENS, of("frontend_cached_tokens_sum"));

        vllm(ServerRole.PROMPT_TOKENS_BY_SOURCE, bySource.by("source"));
        sglang(ServerRole.PROMPT_TOKENS_BY_SOURCE, of("cached_tokens_total").by("cache_source"));
    }

    private static void caches() {
        vllm(ServerRole.KV_USAGE, of("kv_cache_usage_perc"));
        vllm(ServerRole.KV_USAGE, of("gpu_cache_usage_perc"));
        sglang(ServerRole.KV_USAGE, of("token_usage"));
        trtllm(ServerRole.KV_USAGE, of("kv_cache_utilization"));
        for (String prefix : List.of("trtllm_", "trtllm:")) {
            quotient("trtllm", of(prefix + "kv_cache_used_blocks"), of(prefix + "kv_cache_max_blocks"));
        }
        SeriesSource blocks = of("nv_trt_llm_kv_cache_block_metrics");
        add(ServerRole.KV_USAGE, "triton", blocks.where("kv_cache_block_type", "fraction"));
        quotient("triton", blocks.where("kv_cache_block_type", "used"), blocks.where("kv_cache_block_type", "max"));
        dynamo(ServerRole.KV_USAGE, of("component_kvstats_gpu_cache_usage_percent"));

        vllm(ServerRole.PREFIX_QUERIES, of("prefix_cache_queries_total"));
        vllm(ServerRole.PREFIX_QUERIES, of("gpu_prefix_cache_queries_total"));
        trtllm(ServerRole.PREFIX_QUERIES, of("kv_cache_reused_blocks_total"), of("kv_cache_missed_blocks_total"));
        vllm(ServerRole.PREFIX_HITS, of("prefix_cache_hits_total"));
        vllm(ServerRole.PREFIX_HITS, of("gpu_prefix_cache_hits_total"));
        trtllm(ServerRole.PREFIX_HITS, of("kv_cache_reused_blocks_total"));
        vllm(ServerRole.PREFIX_HIT_RATE, of("gpu_prefix_cache_hit_rate"));
        sglang(ServerRole.PREFIX_HIT_RATE, of("cache_hit_rate"));
        trtllm(ServerRole.PREFIX_HIT_RATE, of("kv_cache_hit_rate"));
        dynamo(ServerRole.PREFIX_HIT_RATE, of("component_kvstats_gpu_prefix_cache_hit_rate"));
        vllm(ServerRole.EXTERNAL_PREFIX_QUERIES, of("external_prefix_cache_queries_total"));
        vllm(ServerRole.EXTERNAL_PREFIX_HITS, of("external_prefix_cache_hits_total"));
    }

    private static void quotient(String engine, SeriesSource dividend, SeriesSource divisor) {
        ALIASES.computeIfAbsent(ServerRole.KV_USAGE, each -> new ArrayList<>())
                .add(new RoleAlias(engine, List.of(dividend, divisor), true));
    }

    private static void speculation() {
        vllm(ServerRole.DRAFTS, of("spec_decode_num_drafts_total"));
        vllm(ServerRole.DRAFT_TOKENS, of("spec_decode_num_draft_tokens_total"));
        trtllm(ServerRole.DRAFT_TOKENS, of("spec_decode_num_draft_tokens_total"));
        vllm(ServerRole.ACCEPTED_TOKENS, of("spec_decode_num_accepted_tokens_total"));
        trtllm(ServerRole.ACCEPTED_TOKENS, of("spec_decode_num_accepted_tokens_total"));
        vllm(
                ServerRole.ACCEPTED_BY_POSITION,
                of("spec_decode_num_accepted_tokens_per_pos_total").by("position"));
        sglang(ServerRole.VERIFY_CALLS, of("spec_verify_calls_total"));
        sglang(ServerRole.ACCEPT_LENGTH_GAUGE, of("spec_accept_length"));
        trtllm(ServerRole.ACCEPT_LENGTH_GAUGE, of("spec_decode_acceptance_length"));
        sglang(ServerRole.ACCEPT_RATE_GAUGE, of("spec_accept_rate"));
    }

    private static void times() {
        vllm(ServerRole.QUEUE, of("request_queue_time_seconds"));
        sglang(ServerRole.QUEUE, of("queue_time_seconds"));
        trtllm(ServerRole.QUEUE, of("request_queue_time_seconds"));
        SeriesSource stages = of("per_stage_req_latency_seconds");
        vllm(ServerRole.PREFILL, of("request_prefill_time_seconds"));
        sglang(ServerRole.PREFILL, stages.where("stage", "prefill_forward"));
        trtllm(ServerRole.PREFILL, of("request_prefill_time_seconds"));
        vllm(ServerRole.DECODE, of("request_decode_time_seconds"));
        sglang(ServerRole.DECODE, stages.where("stage", "decode_forward"));
        trtllm(ServerRole.DECODE, of("request_decode_time_seconds"));

        vllm(ServerRole.TTFT, of("time_to_first_token_seconds"));
        sglang(ServerRole.TTFT, of("time_to_first_token_seconds"));
        trtllm(ServerRole.TTFT, of("time_to_first_token_seconds"));
        triton(ServerRole.TTFT, of("inference_first_response_histogram_ms").scaled(MILLI));
        dynamo(ServerRole.TTFT, of("frontend_time_to_first_token_seconds"));
        vllm(ServerRole.ITL, of("inter_token_latency_seconds"));
        vllm(ServerRole.ITL, of("time_per_output_token_seconds"));
        sglang(ServerRole.ITL, of("inter_token_latency_seconds"));
        trtllm(ServerRole.ITL, of("time_per_output_token_seconds"));
        dynamo(ServerRole.ITL, of("frontend_inter_token_latency_seconds"));
        vllm(ServerRole.E2E, of("e2e_request_latency_seconds"));
        sglang(ServerRole.E2E, of("e2e_request_latency_seconds"));
        trtllm(ServerRole.E2E, of("e2e_request_latency_seconds"));
        dynamo(ServerRole.E2E, of("frontend_request_duration_seconds"));
    }

    private static void ends() {
        SeriesSource finished = of("request_success_total");
        vllm(ServerRole.DONE, finished.whereNot("finished_reason", "abort", "error"));
        sglang(ServerRole.DONE, of("num_requests_total"));
        trtllm(ServerRole.DONE, finished);
        triton(ServerRole.DONE, of("inference_request_success"));
        dynamo(ServerRole.DONE, of("frontend_requests_total").where("status", "success"));
        vllm(ServerRole.ABORTED, finished.where("finished_reason", "abort", "error"));
        sglang(ServerRole.ABORTED, of("num_aborted_requests_total"));
        trtllm(ServerRole.ABORTED, of("request_error_total"));
        triton(ServerRole.ABORTED, of("inference_request_failure"));
        dynamo(ServerRole.ABORTED, of("frontend_requests_total").whereNot("status", "success"));
    }

    private static void transfers() {
        vllm(ServerRole.KV_TRANSFER, of("nixl_xfer_time_seconds"));
        sglang(ServerRole.KV_TRANSFER, of("kv_transfer_latency_ms").scaled(MILLI));
        sglang(ServerRole.KV_TRANSFER_SPEED, of("kv_transfer_speed_gb_s"));
        trtllm(ServerRole.KV_ONBOARD_BYTES, of("kv_cache_onboard_bytes_total"));
        trtllm(ServerRole.KV_OFFLOAD_BYTES, of("kv_cache_offload_bytes_total"));
        List<SeriesSource> moved = new ArrayList<>();
        for (String direction : List.of("offload", "onboard")) {
            for (String storage : List.of("d2h", "h2d", "d2d")) {
                moved.add(of("kvbm_" + direction + "_blocks_" + storage).as(direction + "_" + storage));
            }
        }
        add(ServerRole.KV_BLOCKS, RoleAlias.FRONTEND, moved.toArray(SeriesSource[]::new));
        add(ServerRole.KV_MATCHED_TOKENS, RoleAlias.FRONTEND, of("kvbm_matched_tokens"));
    }

    private static void others() {
        vllm(ServerRole.ITERATION_TOKENS, of("iteration_tokens_total"));
        trtllm(ServerRole.ITERATION, of("iteration_latency_seconds"));
        sglang(ServerRole.UTILIZATION, of("utilization"));
        sglang(ServerRole.FORWARD_OCCUPANCY, of("fwd_occupancy"));
        vllm(ServerRole.SLEEP_STATE, of("engine_sleep_state").by("sleep_state"));
        dynamo(ServerRole.MIGRATIONS, of("frontend_model_migration_total"));
    }
}
