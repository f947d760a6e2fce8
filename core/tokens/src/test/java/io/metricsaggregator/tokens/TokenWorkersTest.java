package io.metricsaggregator.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TokenWorkersTest {

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().startsWith("tokens-"))
                .collect(Collectors.toSet());
    }

    @Test
    void a_thread_that_is_interrupted_without_a_stop_does_not_end_in_silence()
            throws IOException, InterruptedException {
        Set<Thread> before = threads();
        ChatFormat none = ChatFormat.beside(Path.of("none", "tokenizer.json"));
        TokenWorkers workers = new TokenWorkers(text -> 1, none, 1, () -> {});
        Set<Thread> own = threads();
        own.removeAll(before);
        List<Throwable> causes = new CopyOnWriteArrayList<>();
        for (Thread each : own) {
            each.setUncaughtExceptionHandler((thread, cause) -> causes.add(cause));
            each.interrupt();
            each.join(10_000);
        }
        assertThat(causes).hasSize(1);
        assertThat(causes.get(0)).isInstanceOf(IllegalStateException.class);
        workers.stop();
    }
}
