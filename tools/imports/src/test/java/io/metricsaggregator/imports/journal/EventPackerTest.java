package io.metricsaggregator.imports.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.answer.Answer;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.EventRecordCodec;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.imports.ImportedRequest;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class EventPackerTest {
    private static Usage packed(String histogram) throws MalformedMessageException {
        Answer answer =
                Answer.of("{\"choices\": [{\"message\": {\"content\": \"a\"}}], \"usage\": {\"prompt_tokens\": 3},"
                        + " \"metrics\": {\"speculative_decoding\": {\"num_spec_steps\": 43, \"num_draft_tokens\": 129,"
                        + " \"num_accepted_draft_tokens\": 10, \"acceptance_histogram\": " + histogram + "}}}");
        ImportedRequest request =
                ImportedRequest.issuedAfter(0).answered(answer).succeededAt(5);
        byte[] record = new EventPacker().complete(5, request, "a", false);
        Usage usage = new EventRecordCodec()
                .decode(ByteBuffer.wrap(record))
                .optional()
                .usage();
        assertThat(usage).isNotNull();
        return usage;
    }

    @Test
    void the_usage_of_an_answer_has_its_speculative_decoding_and_a_histogram_that_fits() throws Exception {
        Usage usage = packed("[39, 1, 0, 3]");
        assertThat(usage.count(UsageKey.PROMPT_TOKENS)).isEqualTo(3);
        assertThat(usage.count(UsageKey.SPEC_DRAFTS)).isEqualTo(43);
        assertThat(usage.count(UsageKey.SPEC_DRAFT_TOKENS)).isEqualTo(129);
        assertThat(usage.count(UsageKey.SPEC_ACCEPTED_TOKENS)).isEqualTo(10);
        assertThat(usage.specHistogram()).containsExactly(39L, 1L, 0L, 3L);
        assertThat(packed("[40, 1, 0, 3]").specHistogram()).isEmpty();
        assertThat(packed("[40, 1, 0, 3]").count(UsageKey.SPEC_DRAFTS)).isEqualTo(43);
    }
}
