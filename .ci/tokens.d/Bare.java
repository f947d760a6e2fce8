import io.metricsaggregator.tokens.HuggingFaceTokenCounter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts the lines of a file in a bare loop, on one thread and then on every core, as the upper bound of the tokenizer. */
class Bare {
    public static void main(String[] arguments) throws Exception {
        HuggingFaceTokenCounter counter = HuggingFaceTokenCounter.open(Path.of(arguments[0]));
        List<String> lines = Files.readAllLines(Path.of(arguments[1]));
        for (int threads : new int[] {1, Runtime.getRuntime().availableProcessors()}) {
            LongAdder tokens = new LongAdder();
            Thread[] all = new Thread[threads];
            long start = System.nanoTime();
            for (int t = 0; t < threads; t++) {
                int first = t;
                all[t] = new Thread(() -> {
                    for (int i = first; i < lines.size(); i += threads) {
                        tokens.add(counter.count(lines.get(i)));
                    }
                });
                all[t].start();
            }
            for (Thread thread : all) {
                thread.join();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("bare loop, %d thread(s): %.2f s, %.3f M tokens/s%n", threads, seconds, tokens.sum() / seconds / 1e6);
        }
        System.exit(0);
    }
}
