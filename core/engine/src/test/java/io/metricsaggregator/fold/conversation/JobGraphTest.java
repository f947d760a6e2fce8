package io.metricsaggregator.fold.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.snapshot.figures.Jobs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The graph of one job, by the worked example, at its limits, and for random graphs against an oracle that follows every path. */
class JobGraphTest {
    private static final int GRAPHS = 10_000;

    private record Node(long id, long start, long end, boolean tool, boolean ended, long... parents) {
        long nanos() {
            return ended ? Math.max(0, end - start) : 0;
        }
    }

    private static Node llm(long id, long start, long end, long... parents) {
        return new Node(id, start, end, false, true, parents);
    }

    private static Node tool(long id, long start, long end, long... parents) {
        return new Node(id, start, end, true, true, parents);
    }

    private static Node lost(long id, long start, long... parents) {
        return new Node(id, start, start, false, false, parents);
    }

    private static JobGraph graph(List<Node> nodes) {
        JobGraph graph = new JobGraph();
        for (Node each : nodes) {
            JobGraph.Step step = graph.start(each.id, each.start, each.tool, each.parents);
            if (step != null && each.ended) {
                graph.end(step, each.end);
            }
        }
        return graph;
    }

    private static List<Node> example(Node c) {
        return List.of(llm(1, 0, 2), tool(2, 2, 5, 1), llm(3, 5, 9, 2), c, llm(5, 9, 10, 3, 4));
    }

    @Test
    void worked_example_has_the_times_of_its_definition() {
        JobGraph graph = graph(example(llm(4, 5, 7, 2)));
        Jobs job = graph.close();
        assertThat(job.latencyNanos()).isEqualTo(10);
        assertThat(job.llmNanos()).isEqualTo(9);
        assertThat(job.busyNanos()).isEqualTo(7);
        assertThat(job.parallelism()).isCloseTo(1.286, within(0.0005));
        assertThat(job.path()).isEqualTo(new Jobs.Path(7, 3, 0));
        assertThat(job.fanOut()).isEqualTo(2);
        assertThat(graph.open).isZero();
        assertThat(graph.unknown).isZero();
        assertThat(graph.lastEnd).isEqualTo(10);
    }

    @Test
    void lost_completion_leaves_the_path_and_counts_as_open() {
        JobGraph graph = graph(example(lost(4, 5, 2)));
        Jobs job = graph.close();
        assertThat(job.path().nanos()).isEqualTo(10);
        assertThat(job.latencyNanos()).isEqualTo(10);
        assertThat(graph.open).isEqualTo(1);
    }

    @Test
    void wait_is_the_gap_from_the_last_parents_end_to_the_issue() {
        Jobs job = graph(List.of(llm(1, 0, 4), tool(2, 0, 6), llm(3, 9, 10, 1, 2), llm(4, 9, 10, 3)))
                .close();
        assertThat(job.path()).isEqualTo(new Jobs.Path(2, 6, 3));
    }

    @Test
    void equal_paths_prefer_samples_whatever_the_order_of_parents_and_ids() {
        for (long[] parents : new long[][] {{7, 8}, {8, 7}}) {
            List<Node> nodes = new ArrayList<>(List.of(tool(7, 0, 5), llm(8, 0, 5), llm(1, 5, 6, parents)));
            for (int i = 0; i < nodes.size(); i++) {
                Collections.rotate(nodes, 1);
                assertThat(graph(nodes).close().path()).isEqualTo(new Jobs.Path(6, 0, 0));
            }
        }
    }

    @Test
    void circles_and_parents_that_do_not_exist_are_counted_and_ignored() {
        JobGraph graph = graph(List.of(llm(1, 0, 2, 2), llm(2, 0, 3, 1), llm(3, 0, 1, 3), llm(4, 0, 1, 99)));
        Jobs job = graph.close();
        assertThat(graph.unknown).isEqualTo(3);
        assertThat(job.path().nanos()).isEqualTo(5);
    }

    @Test
    void second_step_of_an_id_is_refused() {
        JobGraph graph = graph(List.of(llm(1, 0, 2)));
        assertThat(graph.start(1, 5, false, new long[0])).isNull();
        assertThat(graph.size()).isEqualTo(1);
    }

    @Test
    void long_chain_collapses_and_keeps_its_path_and_times() {
        int length = 20_000;
        JobGraph graph = new JobGraph();
        for (int i = 0; i < length; i++) {
            JobGraph.Step step = graph.start(i, 10L * i, i % 4 == 3, i == 0 ? new long[0] : new long[] {i - 1});
            assertThat(step).isNotNull();
            graph.end(step, 10L * i + 8);
            assertThat(graph.size()).isLessThanOrEqualTo(JobGraph.STEPS_MAX);
        }
        Jobs job = graph.close();
        assertThat(graph.collapsed).isGreaterThanOrEqualTo(length - JobGraph.STEPS_MAX);
        assertThat(job.path()).isEqualTo(new Jobs.Path(8L * length * 3 / 4, 8L * length / 4, 2L * (length - 1)));
        assertThat(job.busyNanos()).isEqualTo(job.llmNanos()).isEqualTo(8L * length * 3 / 4);
        assertThat(job.latencyNanos()).isEqualTo(10L * length - 2);
        assertThat(graph.unknown).isZero();
    }

    @Test
    void steps_that_never_end_stay_bounded_and_are_counted() {
        JobGraph graph = new JobGraph();
        for (int i = 0; i < 3 * JobGraph.STEPS_MAX; i++) {
            graph.start(i, i, false, new long[0]);
            assertThat(graph.size()).isLessThanOrEqualTo(JobGraph.STEPS_MAX);
        }
        assertThat(graph.close().path()).isEqualTo(Jobs.Path.BLANK);
        assertThat(graph.open).isEqualTo(3L * JobGraph.STEPS_MAX);
    }

    @Test
    void extreme_times_saturate() {
        Jobs job = graph(List.of(
                        llm(1, Long.MIN_VALUE, Long.MAX_VALUE),
                        llm(2, Long.MAX_VALUE, Long.MIN_VALUE, 1),
                        llm(3, 0, 5, 1, 2)))
                .close();
        assertThat(job.latencyNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(job.llmNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(job.busyNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(job.path().nanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void random_graphs_have_the_figures_of_an_oracle_that_follows_every_path() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < GRAPHS; i++) {
            List<Node> nodes = random(random);
            List<Node> arrivals = new ArrayList<>(nodes);
            Collections.shuffle(arrivals, random);
            JobGraph graph = graph(arrivals);
            Jobs job = graph.close();
            String what = "seed " + seed + ", graph " + i + ": " + nodes;
            assertThat(job.path()).as(what).isEqualTo(longest(nodes));
            assertThat(job.llmNanos())
                    .as(what)
                    .isEqualTo(samples(nodes).mapToLong(Node::nanos).sum());
            assertThat(job.busyNanos()).as(what).isEqualTo(busy(nodes));
            assertThat(job.fanOut()).as(what).isEqualTo(fanOut(nodes));
            assertThat(graph.open)
                    .as(what)
                    .isEqualTo(nodes.stream().filter(each -> !each.ended).count());
            assertThat(graph.unknown)
                    .as(what)
                    .isEqualTo(nodes.stream()
                            .flatMapToLong(each -> LongStream.of(each.parents).distinct())
                            .filter(parent -> parent >= 1000)
                            .count());
            long start = nodes.stream().mapToLong(Node::start).min().orElseThrow();
            long end = nodes.stream()
                    .filter(Node::ended)
                    .mapToLong(Node::end)
                    .max()
                    .orElse(start);
            assertThat(job.latencyNanos()).as(what).isEqualTo(Math.max(0, end - start));
        }
    }

    /** Up to 14 steps, each after some before it; now and then an end is lost, overlaps, or a parent does not exist. */
    private static List<Node> random(Random random) {
        List<Node> nodes = new ArrayList<>();
        int count = 1 + random.nextInt(14);
        for (int i = 0; i < count; i++) {
            long[] parents = new long[i == 0 ? 0 : random.nextInt(4)];
            for (int j = 0; j < parents.length; j++) {
                parents[j] = random.nextInt(20) == 0 ? 1000 + random.nextInt(5) : random.nextInt(i);
            }
            long start = random.nextInt(40);
            boolean ended = random.nextInt(10) > 0;
            long end = ended ? start + random.nextInt(10) : start;
            nodes.add(new Node(i, start, end, random.nextInt(3) == 0, ended, parents));
        }
        return nodes;
    }

    private static Stream<Node> samples(List<Node> nodes) {
        return nodes.stream().filter(each -> each.ended && !each.tool);
    }

    /** Counts the ticks in which a sample was in flight. */
    private static long busy(List<Node> nodes) {
        return LongStream.range(0, 100)
                .filter(tick -> samples(nodes).anyMatch(each -> each.start <= tick && tick < each.end))
                .count();
    }

    private static long fanOut(List<Node> nodes) {
        return nodes.stream()
                .mapToLong(parent -> nodes.stream()
                        .filter(each -> LongStream.of(each.parents).anyMatch(id -> id == parent.id))
                        .count())
                .max()
                .orElse(0);
    }

    /** Follows every path backwards from every step that ended, without remembering any. */
    private static Jobs.Path longest(List<Node> nodes) {
        Map<Long, Node> byId = new HashMap<>();
        nodes.forEach(each -> byId.put(each.id, each));
        List<long[]> all = new ArrayList<>();
        for (Node each : nodes) {
            if (each.ended) {
                follow(each, byId, 0, 0, 0, all);
            }
        }
        return all.stream()
                .max(Comparator.<long[]>comparingLong(path -> path[0] + path[1] + path[2])
                        .thenComparingLong(path -> path[0])
                        .thenComparingLong(path -> path[1]))
                .map(path -> new Jobs.Path(path[0], path[1], path[2]))
                .orElse(Jobs.Path.BLANK);
    }

    private static void follow(Node node, Map<Long, Node> byId, long llm, long tool, long waited, List<long[]> all) {
        List<Node> parents = LongStream.of(node.parents)
                .filter(byId::containsKey)
                .mapToObj(byId::get)
                .filter(Node::ended)
                .toList();
        long lastEnd = parents.stream().mapToLong(Node::end).max().orElse(node.start);
        long llmHere = llm + (node.tool ? 0 : node.nanos());
        long toolHere = tool + (node.tool ? node.nanos() : 0);
        long waitedHere = waited + Math.max(0, node.start - lastEnd);
        if (parents.isEmpty()) {
            all.add(new long[] {llmHere, toolHere, waitedHere});
        }
        parents.forEach(each -> follow(each, byId, llmHere, toolHere, waitedHere, all));
    }
}
