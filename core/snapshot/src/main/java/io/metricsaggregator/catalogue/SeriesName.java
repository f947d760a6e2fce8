package io.metricsaggregator.catalogue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every series of a snapshot. A constant is its wire name in capitals. The order is that of reports and of docs/reference.md; a snapshot has
 * the order in which the series were registered.
 */
public enum SeriesName {
    SUCCEEDED_TTFT_NS(
            "succeeded_ttft_ns",
            "ttft",
            "time to first token",
            Unit.NANOSECONDS,
            "the time to first token of samples that succeeded; in a snapshot where any failed after a first chunk, otherwise that of all is the"
                    + " same"),
    RESPONSE_TTFT_NS(
            "response_ttft_ns",
            "response_ttft",
            "TTFT from schedule",
            Unit.NANOSECONDS,
            "from the scheduled time of a sample that succeeded to its first chunk: includes the client's own queueing"),
    CHUNK_DELTA_NS(
            "chunk_delta_ns",
            "chunk_gap",
            "between chunks",
            Unit.NANOSECONDS,
            "from one chunk of an answer to the next, over all chunks, where answers are streamed"),
    TPOT_NS(
            "tpot_ns",
            "tpot",
            "time per output token",
            Unit.NANOSECONDS,
            "from the first chunk to the completion, divided by the tokens after the first chunk; one value per sample"),
    TPOT_BY_OSL_NS(
            "tpot_by_osl_ns",
            "tpot_by_osl",
            "TPOT by output length",
            Unit.NANOSECONDS,
            "from the first chunk to the completion, divided by the output tokens less one, as vLLM's benchmark and AIPerf divide; one"
                    + " value per sample"),
    SUCCEEDED_SAMPLE_LATENCY_NS(
            "succeeded_sample_latency_ns",
            "latency",
            "sample latency",
            Unit.NANOSECONDS,
            "the latency of samples that succeeded; in a snapshot where any failed, otherwise that of all is the same"),
    RESPONSE_LATENCY_NS(
            "response_latency_ns",
            "response_latency",
            "latency from schedule",
            Unit.NANOSECONDS,
            "from the scheduled time of a sample that succeeded to its completion: includes the client's own queueing"),
    SCHEDULE_SLIP_NS(
            "schedule_slip_ns",
            "schedule_slip",
            "schedule slip",
            Unit.NANOSECONDS,
            "from the scheduled time of a sample to its issue"),
    FAILED_SAMPLE_LATENCY_NS(
            "failed_sample_latency_ns",
            "failed_latency",
            "latency of failed samples",
            Unit.NANOSECONDS,
            "the latency of samples that had an error"),
    FAILED_TTFT_NS(
            "failed_ttft_ns",
            "failed_ttft",
            "TTFT of failed samples",
            Unit.NANOSECONDS,
            "the time to first token of samples that had an error"),
    TTFT_NS(
            "ttft_ns",
            "all_ttft",
            "TTFT of all samples",
            Unit.NANOSECONDS,
            "from the issue of a sample to its first chunk, where answers are streamed; failed samples and those in flight included"),
    SAMPLE_LATENCY_NS(
            "sample_latency_ns",
            "all_latency",
            "latency of all samples",
            Unit.NANOSECONDS,
            "from the issue of a sample to its completion, failed samples included"),
    ISL(
            "isl",
            "isl",
            "input tokens",
            Unit.TOKENS,
            "length of a prompt, from its token_ids or counted with --tokenizer"),
    OSL("osl", "osl", "output tokens", Unit.TOKENS, "length of an output, counted with --tokenizer"),
    TTFO_NS(
            "ttfo_ns",
            "ttfo",
            "time to first answer",
            Unit.NANOSECONDS,
            "from the issue of a sample to its first chunk of output or tool calls, reasoning left out"),
    THINKING_NS(
            "thinking_ns",
            "thinking",
            "thinking",
            Unit.NANOSECONDS,
            "from the first chunk of an answer, which is reasoning, to the first one of output or tool calls"),
    ITL_EVEN_NS(
            "itl_even_ns",
            "itl_even",
            "between tokens",
            Unit.NANOSECONDS,
            "the time before a chunk divided by its tokens, one value per token, as SGLang's benchmark has it"),
    ITL_REQUEST_NS(
            "itl_request_ns",
            "itl_request",
            "between tokens, by sample",
            Unit.NANOSECONDS,
            "from the first chunk to the last, divided by the output tokens less one, as AIPerf and GuideLLM have it; one value per sample that succeeded"),
    LATENCY_PER_TOKEN_NS(
            "latency_per_token_ns",
            "latency_per_token",
            "latency per token",
            Unit.NANOSECONDS,
            "the latency of a sample divided by its output tokens, as inference-perf has it; one value per sample that succeeded"),
    TTFT_FIRST_TURN_NS(
            "ttft_first_turn_ns",
            "ttft_first_turn",
            "TTFT of first turns",
            Unit.NANOSECONDS,
            "the time to first token of the samples issued first in their conversation that succeeded"),
    TTFT_LATER_TURN_NS(
            "ttft_later_turn_ns",
            "ttft_later_turn",
            "TTFT of later turns",
            Unit.NANOSECONDS,
            "the time to first token of the other samples of a conversation that succeeded"),
    CONVERSATION_DURATION_NS(
            "conversation_duration_ns",
            "conversation_duration",
            "conversation",
            Unit.NANOSECONDS,
            "from the first issue of a conversation to its last completion; recorded when it ends"),
    THINK_TIME_NS(
            "think_time_ns",
            "think_time",
            "think time",
            Unit.NANOSECONDS,
            "from the completion of a turn to the issue of the next, if no other turn of the conversation was in flight"),
    CONVERSATION_TURNS(
            "conversation_turns",
            "conversation_turns",
            "turns of a conversation",
            Unit.TURNS,
            "turns completed of a conversation; recorded when it ends"),
    CONVERSATION_TOK_PER_S(
            "conversation_tok_per_s",
            "conversation_rate",
            "tokens/s of conversations",
            Unit.TOKENS_PER_SECOND,
            "output tokens of a conversation divided by the latency of its turns, both over turns that succeeded and are counted"),
    OSL_ALL(
            "osl_all",
            "osl_all",
            "output tokens of all",
            Unit.TOKENS,
            "length of an output, of samples issued outside the tracked windows too, once tracking has begun; with --count-untracked"),
    OSL_ANSWER(
            "osl_answer",
            "osl_answer",
            "answer tokens",
            Unit.TOKENS,
            "length of an output and its tool calls without the reasoning, counted with --tokenizer"),
    OSL_REASONING(
            "osl_reasoning",
            "osl_reasoning",
            "reasoning tokens",
            Unit.TOKENS,
            "length of the reasoning of an output, counted with --tokenizer"),
    USAGE_PROMPT_TOKENS(
            "usage_prompt_tokens",
            "usage_prompt",
            "reported prompt tokens",
            Unit.TOKENS,
            "prompt_tokens of the usage of a sample that succeeded"),
    USAGE_COMPLETION_TOKENS(
            "usage_completion_tokens",
            "usage_completion",
            "reported output tokens",
            Unit.TOKENS,
            "completion_tokens of the usage of a sample that succeeded"),
    USAGE_CACHED_TOKENS(
            "usage_cached_tokens",
            "usage_cached",
            "reported cached tokens",
            Unit.TOKENS,
            "cached_tokens of the usage of a sample that succeeded"),
    USAGE_REASONING_TOKENS(
            "usage_reasoning_tokens",
            "usage_reasoning",
            "reported reasoning tokens",
            Unit.TOKENS,
            "reasoning_tokens of the usage of a sample that succeeded"),
    USAGE_TPOT_NS(
            "usage_tpot_ns",
            "usage_tpot",
            "TPOT by reported tokens",
            Unit.NANOSECONDS,
            "from the first chunk to the completion, divided by the completion_tokens of the usage less one; one value per sample that"
                    + " succeeded"),
    SERVER_QUEUE_NS(
            "server_queue_ns",
            "server_queue",
            "in the server's queue",
            Unit.NANOSECONDS,
            "queue_ns of the server times of a sample that succeeded"),
    SERVER_TTFT_NS(
            "server_ttft_ns",
            "server_ttft",
            "TTFT inside the server",
            Unit.NANOSECONDS,
            "ttft_ns of the server times of a sample that succeeded: from its scheduling in the server to its first token"),
    OUTSIDE_TTFT_NS(
            "outside_ttft_ns",
            "outside_ttft",
            "TTFT outside the server",
            Unit.NANOSECONDS,
            "the time to first token of a sample that succeeded less queue_ns and ttft_ns of its server times; a negative one is counted and not recorded"),
    KV_TRANSFER_NS(
            "kv_transfer_ns",
            "kv_transfer",
            "KV transfer",
            Unit.NANOSECONDS,
            "kv_transfer_ns of the server times of a sample that succeeded, otherwise its longest transfer.complete"),
    JOB_LATENCY_NS(
            "job_latency_ns",
            "job_latency",
            "job latency",
            Unit.NANOSECONDS,
            "from the first start of a job's samples and tool calls to their last end; series of jobs are of those completed"),
    JOB_LLM_NS(
            "job_llm_ns", "job_llm", "LLM time of jobs", Unit.NANOSECONDS, "sum of the latencies of a job's samples"),
    JOB_LLM_BUSY_NS(
            "job_llm_busy_ns",
            "job_llm_busy",
            "LLM busy time of jobs",
            Unit.NANOSECONDS,
            "time with a sample of a job in flight"),
    JOB_CRITICAL_PATH_NS(
            "job_critical_path_ns",
            "job_critical_path",
            "critical path of jobs",
            Unit.NANOSECONDS,
            "the longest path through a job's samples and tool calls, from parents to children, with the waits between them");

    private static final Map<String, SeriesName> BY_WIRE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(SeriesName::wire, Function.identity()));

    private static final List<SeriesName> REPORTED = List.copyOf(EnumSet.complementOf(EnumSet.of(TPOT_BY_OSL_NS)));

    private final String wire;
    private final String key;
    private final String title;
    private final Unit unit;
    private final String meaning;

    SeriesName(String wire, String key, String title, Unit unit, String meaning) {
        this.wire = wire;
        this.key = key;
        this.title = title;
        this.unit = unit;
        this.meaning = meaning;
    }

    /** The name in snapshots. */
    public String wire() {
        return wire;
    }

    /** The short name, without a unit: a key of the report's JSON, a column of comparisons. */
    public String key() {
        return key;
    }

    /** The name in tables and plots, at most 25 characters. */
    public String title() {
        return title;
    }

    /** The unit of the values. */
    public Unit unit() {
        return unit;
    }

    /** Whether the values are durations. */
    public boolean isDuration() {
        return unit == Unit.NANOSECONDS;
    }

    /** What one value is: a noun phrase or an interval, without a full stop. */
    public String meaning() {
        return meaning;
    }

    /** The series of that wire name; null for a name of another version or daemon. */
    public static @Nullable SeriesName ofWire(String wire) {
        return BY_WIRE.get(wire);
    }

    /** The series that reports list, in their order: all but {@link #TPOT_BY_OSL_NS}, which only the formats of other tools use. */
    public static List<SeriesName> reported() {
        return REPORTED;
    }
}
